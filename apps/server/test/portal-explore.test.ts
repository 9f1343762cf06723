import { expect } from "vitest";
import { configMessage, createMessage, errorMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const zone = "Europe/Berlin";

interface Found {
  results: Array<{ contextId: string; snippet: string }>;
  total: number;
  correctedQuery?: string;
  histogram?: { starts: number[]; width: number; counts: number[] };
  nextCursor?: string;
}

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 0, day, hour)).toISOString();
const page = (
  id: string,
  fields: { day: number; url?: string; content?: string; extensionId?: string; type?: string; privacyLevel?: string },
) => {
  const { day, url = `https://example.com/${id}`, extensionId = "laptop", ...context } = fields;
  return createMessage({
    extensionId,
    timestamp: at(day),
    context: { id, capturedAt: at(day), tabMetadata: { id: "7", url, title: `Title ${id}` }, ...context },
  });
};

const pages = [
  page("lamp", { day: 1, content: "The keeper lights the lamp." }),
  page("rope", { day: 2, content: "A rope for the keeper.", extensionId: "phone", type: "selection" }),
  page("docs", { day: 3, url: "https://docs.lamps.example/oil", content: "Oil for a lamp." }),
  page("trap", { day: 3, url: "https://other.example/?to=lamps.example", content: "No lamp at all." }),
  page("bank", { day: 9, content: "Balance of the keeper.", privacyLevel: "restricted" }),
];

test("finds by words and by each condition, and says when", async ({ server, client }) => {
  for (const message of pages) expect((await client.sync(message)).status).toBe(201);
  const { browser } = await PortalClient.owner(server, person);
  const find = async (filter: Record<string, unknown>) => (await browser.query("explore.search", { zone, ...filter })).data as Found;
  const ids = async (filter: Record<string, unknown>) => (await find(filter)).results.map(({ contextId }) => contextId).sort();

  const all = await find({});
  expect(all.results.map(({ contextId }) => contextId)).toEqual(["bank", "docs", "trap", "rope", "lamp"]);
  // Hours of a clock that is an hour ahead.
  expect([all.histogram?.width, all.histogram?.starts[0]]).toEqual([21_600_000, Date.UTC(2026, 0, 1, 11)]);
  expect(all.histogram?.counts.reduce((sum, count) => sum + count)).toBe(5);

  const words = await find({ query: "lamps" });
  expect(words.results.map(({ contextId }) => contextId).sort()).toEqual(["docs", "lamp", "trap"]);
  expect(words.results[0]?.snippet).toContain("lamp");
  expect(words.histogram?.counts.reduce((sum, count) => sum + count)).toBe(3);
  // While it is being typed, the last word is completed; programs are taken at their word.
  const typing = await find({ query: "keeper lig" });
  expect([typing.results.map(({ contextId }) => contextId), typing.correctedQuery]).toEqual([["lamp"], "keeper lights"]);
  expect((await client.get("/context/search?query=lig")).body).toMatchObject({ results: [], total: 0 });
  // A single context is the last bar of some hours.
  expect((await find({ query: "rope" })).histogram?.counts).toEqual([...Array.from({ length: 24 }, () => 0), 1]);

  expect(await ids({ query: "https://docs.lamps.example/oil" })).toEqual(["docs"]);
  expect(await ids({ type: "selection" })).toEqual(["rope"]);
  expect(await ids({ privacyLevel: "restricted" })).toEqual(["bank"]);
  expect(await ids({ extensionId: "phone" })).toEqual(["rope"]);
  expect(await ids({ query: "keeper", extensionId: "phone" })).toEqual(["rope"]);
  expect(await ids({ query: "keeper", extensionId: "nobody" })).toEqual([]);
  expect(await ids({ site: "lamps.example" })).toEqual(["docs"]);
  expect(await ids({ site: "lamps.example", query: "oil" })).toEqual(["docs"]);
  expect(await ids({ since: at(2), until: at(3) })).toEqual(["rope"]);
  expect(await ids({ query: "lamp", since: at(2), until: at(4) })).toEqual(["docs", "trap"]);
  expect(await browser.query("explore.search", { zone, since: at(2), until: at(2) })).toMatchObject({ status: 400 });
  expect(await browser.query("explore.search", { zone, site: "not a site" })).toMatchObject({ status: 400 });
});

test.for([
  // Clocks are put forward on March 30, 2025, and back on October 26.
  ["Europe/Berlin", "2025-03-01", "2025-04-30", "2025-03-10T23:00:00.000Z", "2025-04-10T22:00:00.000Z"],
  ["Europe/Berlin", "2025-10-01", "2025-11-30", "2025-10-25T22:00:00.000Z", "2025-10-26T23:00:00.000Z"],
  ["America/New_York", "2025-03-01", "2025-04-30", "2025-03-09T05:00:00.000Z", "2025-03-10T04:00:00.000Z"],
  ["a zone that is none", "2025-03-01", "2025-04-30", "2025-03-10T00:00:00.000Z", "2025-04-10T00:00:00.000Z"],
] as const)(
  "draws the days of %s when clocks change between %s and %s",
  async ([zoneName, since, until, ...days], { expect, server, client }) => {
    for (const [index, start] of days.entries()) {
      const capturedAt = new Date(Date.parse(start) + 60_000).toISOString();
      await client.sync(createMessage({ timestamp: capturedAt, context: { id: `c${index}`, capturedAt, content: "Oil." } }));
    }
    const { browser } = await PortalClient.owner(server, person);
    const find = async (filter: object) => (await browser.query("explore.search", { zone: zoneName, ...filter })).data as Found;
    for (const words of [{}, { query: "oil" }]) {
      const { histogram } = await find({ ...words, since: `${since}T00:00:00.000Z`, until: `${until}T00:00:00.000Z` });
      const { starts = [], counts = [] } = histogram ?? {};
      const drawn = counts.flatMap((count, bar) => (count === 0 ? [] : [bar]));
      expect(drawn.map((bar) => new Date(starts[bar] ?? 0).toISOString())).toEqual(days);
      for (const [index, bar] of drawn.entries()) {
        const [from, to] = [starts[bar] ?? 0, starts[bar + 1] ?? 0].map((at) => new Date(at).toISOString());
        const { results } = await find({ ...words, since: from, until: to });
        expect(results.map(({ contextId }) => contextId)).toEqual([`c${index}`]);
      }
    }
  },
);

test("counts, shows and deletes the same contexts of a site", async ({ server, client }) => {
  const addresses = ["https://lamps.example/oil", "https://docs.lamps.example/%6Fil/1", "https://other.example/lamps.example/oil"];
  for (const [index, url] of [...addresses, "https://badlamps.example/oil"].entries())
    await client.sync(page(`c${index}`, { day: 1 + index, url, content: "Oil." }));
  const { browser } = await PortalClient.owner(server, person);
  for (const site of ["lamps.example", "lamps.example/oil"])
    for (const words of [{}, { query: "oil" }]) {
      const { results, total, histogram } = (await browser.query("explore.search", { zone, site, ...words })).data as Found;
      expect(results.map(({ contextId }) => contextId).sort()).toEqual(["c0", "c1"]);
      expect([total, histogram?.counts.reduce((sum, count) => sum + count)]).toEqual([2, 2]);
      expect(await browser.mutate("explore.previewDelete", { site, ...words })).toMatchObject({ data: { matches: 2 } });
    }
});

test("rejects a search by a site with too many parts, but deletes by it", async ({ server, client }) => {
  const [path, site] = ["a/".repeat(33), `lamps.example/${"a/".repeat(33)}b`];
  for (const name of ["b", "c"]) await client.sync(page(name, { day: 1, url: `https://lamps.example/${path}${name}`, content: "Oil." }));
  const { browser } = await PortalClient.owner(server, person);
  expect(await browser.query("explore.search", { zone, site })).toMatchObject({ status: 400 });
  for (const words of [{}, { query: "oil" }])
    expect(await browser.mutate("explore.previewDelete", { site, ...words })).toMatchObject({
      data: { matches: 1, sample: [{ contextId: "b" }] },
    });
});

test("pages through results without a gap, with and without words", async ({ server, client }) => {
  const ids = Array.from({ length: 95 }, (_, number) => `c${String(number).padStart(2, "0")}`);
  for (const from of [0, 50])
    await client.batch(ids.slice(from, from + 50).map((id, index) => page(id, { day: 1 + ((from + index) % 28) })));
  const { browser } = await PortalClient.owner(server, person);
  for (const filter of [{}, { query: "lighthouses" }, { site: "example.com" }]) {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const answer: Found = (await browser.query("explore.search", { zone, ...filter, cursor })).data as Found;
      expect(answer.total).toBe(95);
      expect(answer.histogram === undefined).toBe(cursor !== undefined);
      found.push(...answer.results.map(({ contextId }) => contextId));
      cursor = answer.nextCursor;
    } while (cursor !== undefined);
    expect(found.sort()).toEqual(ids);
  }
});

test("shows what was removed from a context, and deletes only what was confirmed", async ({ server, client }) => {
  await client.sync(page("card", { day: 1, content: "Card 4111 1111 1111 1111, and 5500 0055 5555 5559." }));
  await client.sync(page("lamp", { day: 2, content: "The lamp." }));
  const { browser } = await PortalClient.owner(server, person);
  const { data } = await browser.query("explore.context", { contextId: "card" });
  expect(data).toMatchObject({ removed: [{ kind: "card", count: 2 }], isMarkdown: false, extensionId: "laptop" });
  expect((data as { text: string }).text).toBe("Card [REDACTED:card], and [REDACTED:card].");
  expect(await browser.query("explore.context", { contextId: "nothing" })).toMatchObject({ status: 404 });

  const filter = { query: "lamp" };
  expect(await browser.mutate("explore.previewDelete", filter)).toMatchObject({ data: { matches: 1, sample: [{ contextId: "lamp" }] } });
  await client.sync(page("lamp-2", { day: 3, content: "Another lamp." }));
  expect(await browser.mutate("explore.deleteMatches", { filter, confirm: "1" })).toMatchObject({ status: 409 });
  expect(await browser.mutate("explore.deleteMatches", { filter, confirm: "2" })).toMatchObject({ data: { deleted: 2 } });
  expect(await browser.mutate("explore.remove", { contextId: "card" })).toMatchObject({ status: 200 });
  expect((await client.get("/context/history")).body.total).toBe(0);
});

test("counts what was removed within addresses, and no word of the text", async ({ server, client }) => {
  const url = "https://example.com/letters?token=8f3a9c1e7b5d2046&page=2";
  await client.sync(page("letter", { day: 1, url, content: `Not REDACTED: ${url}` }));
  const { browser } = await PortalClient.owner(server, person);
  const { data } = await browser.query("explore.context", { contextId: "letter" });
  expect(data).toMatchObject({ removed: [{ kind: "in_addresses", count: 2 }] });
});

test("shows the current context, counts of today, errors of extensions and totals", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, person);
  const since = at(3, 0);
  expect(await browser.query("now.overview", { since })).toMatchObject({ data: { current: null, recent: [], today: {}, troubles: [] } });
  expect(await browser.query("now.storage")).toMatchObject({ data: { contexts: 0, bytes: 0 } });
  for (const message of pages) await client.sync(message);
  const timestamp = new Date().toISOString();
  await client.sync({ ...errorMessage("pdf_failed"), extensionId: "laptop", id: "e1", timestamp });
  await client.sync({ ...errorMessage("pdf_failed", { message: "it broke again" }), extensionId: "laptop", id: "e2", timestamp });
  await client.sync(configMessage("settings", 0, {}));
  const { data } = await browser.query("now.overview", { since });
  expect(data).toMatchObject({
    current: { contextId: "bank", excerpt: "" },
    today: { page: 3 },
    troubles: [{ extensionId: "laptop", code: "pdf_failed", times: 2 }],
  });
  expect((data as { recent: Array<{ contextId: string }> }).recent.map(({ contextId }) => contextId)).toEqual([
    "docs",
    "trap",
    "rope",
    "lamp",
  ]);
  const stored = (await browser.query("now.storage")).data as { contexts: number; bytes: number };
  expect(stored.contexts).toBe(5);
  expect(stored.bytes).toBe(Buffer.byteLength("The keeper lights the lamp.A rope for the keeper.Oil for a lamp.No lamp at all."));
});

test("streams changes by a session, and ends the stream with it", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, person);
  expect((await new PortalClient(server).send("GET", "/portal/live")).status).toBe(401);
  const stream = await browser.send("GET", "/portal/live");
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const frames = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (wanted: string) => {
    while (!text.includes(wanted)) {
      const { value, done } = await frames.read();
      if (done) throw new Error(`The stream ended before ${wanted}: ${text}`);
      text += value;
    }
  };
  await client.sync(page("lamp", { day: 1 }));
  await until('"lamp"');
  await browser.mutate("session.signOut");
  await until("unauthorized");
});

test("renews a session only where the browser gets the new cookie", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const other = new PortalClient(server);
  await other.signIn(person);
  const [followed, ended] = [await browser.send("GET", "/portal/live"), await other.send("GET", "/portal/live")];
  const end = Date.now() + 20 * 86_400_000;
  await server.rows(`UPDATE auth_sessions SET "expiresAt" = ?`, testEngine() === "sqlite" ? end : new Date(end));
  await other.mutate("session.signOut");
  // The server asks for the sessions of all who follow, one after the other.
  await ended.text();
  await browser.query("session.me");
  expect(browser.setCookies.join()).toContain("periscope.session_token=");
  await followed.body?.cancel();
});
