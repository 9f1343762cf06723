import * as fc from "fast-check";
import { expect } from "vitest";
import { runs } from "./deep.js";
import { createMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { withOwnServer as it } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** Terms of the user whose number in the index is 1, as the index keeps them on SQLite. */
const terms = "1* 1!page 1@en 1%private 1%public 1=bank.example 1:lamp 1^2lamp 1/htt 1/ban 1#dfrw 1#mfrw".split(" ");
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const parts = fc.oneof(
  fc.constantFrom(...terms),
  fc.constantFrom(...ascii),
  fc.constantFrom("'", "'", "\u0001", "\u0085", "\u2028", "\ud800", "\ue000", "\uffff", "ŉ", "¨"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const anyText = fc.array(parts, { maxLength: 12 }).map((each) => each.join(""));
const hosts = fc.tuple(fc.constantFrom("'", "\u0001", "\u007f", "."), fc.array(fc.constantFrom(...terms), { maxLength: 4 }));
const anyUrl = fc
  .oneof(
    fc.tuple(anyText, anyText).map(([host, path]) => `http://${host}/${path}`),
    anyText.map((rest) => `http://lamps.example/${rest}`),
    hosts.map(([sign, each]) => `http://x${sign}${each.join(sign)}${sign}.com/`),
    fc.webUrl(),
  )
  .filter((url) => URL.canParse(url) && new URL(url).protocol === "http:");
const anyContext = fc.record({ url: anyUrl, title: anyText, content: anyText, word: anyText });

it("finds, counts and places in time the same, whatever another user stores", async ({ server, client }) => {
  for (const id of ["a", "b"]) {
    const tabMetadata = { id: "7", url: `https://bank.example/${id}`, title: "Lamps" };
    await client.sync(createMessage({ context: { id, content: "The keeper lights the lamp.", tabMetadata } }));
  }
  const { browser } = await PortalClient.owner(server, person);
  const other = await server.client();
  const day = "2026-01-31T00:00:00Z";
  const searches = ["query=lamp", "query=keepr", "query=keeper+lamp+light", "query=-nothing", "urlPattern=*", "urlPattern=ban"];
  searches.push(
    "urlPattern=ht*",
    "urlPattern=*&type=page",
    "urlPattern=*&privacyLevel=private",
    "urlPattern='",
    "urlPattern=%01",
    `urlPattern=*&startTime=${day}`,
  );
  const explored = [{}, { query: "lamp" }, { site: "bank.example" }, { type: "page" }, { site: "bank.example", query: "lamp" }];
  const view = async () => [
    ...(await Promise.all(searches.map((search) => client.get(`/context/search?limit=100&${search}`)))).map(({ body }) => body),
    ...(await Promise.all(explored.map((filter) => browser.query("explore.search", { zone: "UTC", ...filter })))).map(({ data }) => data),
  ];
  const before = await view();
  await fc.assert(
    fc.asyncProperty(fc.array(anyContext, { minLength: 50, maxLength: 100, size: "max" }), async (contexts) => {
      const messages = contexts.map(({ url, title, content, word }) =>
        createMessage({ context: { content, title, metadata: { word }, tabMetadata: { id: "7", url, title } } }),
      );
      expect((await other.batch(messages)).body).toMatchObject({ failed: 0 });
      expect(await view()).toEqual(before);
    }),
    { ...runs(3), endOnFailure: true },
  );
  if (testEngine() === "postgres") return;
  await server.rows("CREATE VIRTUAL TABLE indexed_terms USING fts5vocab('search_index', 'row')");
  const indexed = await server.rows<{ term: string }>("SELECT term FROM indexed_terms");
  expect(indexed.filter(({ term }) => !/^[12][^0-9a-z]/.test(term))).toEqual([]);
  const owns = await server.rows("SELECT term FROM indexed_terms WHERE term GLOB '1[*]' AND doc = 2");
  expect(owns).toEqual([{ term: "1*" }]);
});
