import { it } from "vitest";
import { TestServer } from "./test-server.js";
import { createMessage } from "./messages.js";
it("x", { timeout: 300000 }, async () => {
  await using s = await TestServer.start({ logLevel: "error" });
  const client = await s.client();
  const M = 1_048_576;
  const fill = (t: string) => t.repeat(Math.floor(M / Buffer.byteLength(t)));
  const hostile: Record<string, string> = {
    div: fill("<div>"), lt: fill("<"), closed: "<div>".repeat(90000) + "</div>".repeat(90000), attrs: "<a " + fill('b="c" ').slice(0, M - 10) , comment: fill("<!--"), entity: fill("&"), ent2: fill("&amp;"),
    cdata: fill("<![CDATA["), script: fill("<script>"), table: fill("<table><tr><td>"), star: fill("*"), tick: fill("`"), link: fill("[a]("), link2: fill("["), quote: fill("> "), hash: fill("# "), under: fill("_a_"), at: fill("a@"), at2: fill("a.b@c.d "), dig: fill("4111 1111 "), dig2: fill("1"), dot: fill("1."), sp: fill(" "), nl: fill("\n"), nbsp: fill("\u00a0"), emoji: fill("👩‍🚀"), comb: fill("e\u0301"), url: fill("https://"), url2: fill("http://a/?token=b&"), eq: fill("password="), eq2: fill("=\""), jwt: fill("eyJ"), b64: fill("aB3/"), hex: fill("deadbeef"), colon: fill("a:"), pem: fill("-----BEGIN PRIVATE KEY-----"), form: "[".repeat(M / 2) + "]".repeat(M / 2), form2: "[" + fill('{"name":"a"},').slice(0, -20) + ']', plus: fill("+1 ("), iban: fill("DE89 "), zw: fill("\u200b"), words: fill("lighthouse keeper "), uniq: Array.from({ length: 110000 }, (_, i) => "w" + i.toString(36)).join(" "), long: fill("a"), paren: fill("("), backsl: fill("\\"), dash: fill("-"), ff: fill("\uFDFA"),
  };
  for (const [name, content] of Object.entries(hostile))
    for (const [type, contentFormat] of [["page", "html"], ["page", "markdown"], ["page", "text"], ["form", "text"]] as const)
      for (const privacyLevel of ["filtered"]) {
        const t = performance.now();
        const a = await client.sync(createMessage({ context: { id: `${name}-${contentFormat}-${type}`, type, contentFormat, privacyLevel, content } }));
        const ms = performance.now() - t;
        if (a.status !== 201 || ms > 800) console.log(name, type, contentFormat, a.status, a.body.error, Math.round(ms));
      }
  const t2 = performance.now();
  await client.sync(createMessage({ context: { id: "u", tabMetadata: { id: "7", title: "t", url: "https://a.example/" + "a".repeat(8000) } } }));
  for (const q of ["urlPattern=" + "*a".repeat(340), "urlPattern=" + "*a".repeat(300) + "*b", "urlPattern=*" + "a*".repeat(20) + "b", "query=" + "a+OR+".repeat(200) + "b", "query=" + "%22lighthouse+keeper%22+".repeat(40), "query=" + "-a+".repeat(300) + "b", "query=" + "lighthouse+".repeat(90), "query=" + Array.from({ length: 200 }, (_, i) => "w" + i).join("+"), "query=" + Array.from({ length: 200 }, (_, i) => "w" + i).join("+OR+"), "query=lighthouse&limit=1000", "query=" + "%22".repeat(340), "query=" + "%22a+".repeat(200)]) {
    const t = performance.now();
    const a = await client.get("/context/search?" + q);
    console.log(q.slice(0, 40), a.status, a.body.error ?? a.body.total, Math.round(performance.now() - t));
  }
});
