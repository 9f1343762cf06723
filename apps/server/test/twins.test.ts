import type { PrivacyLevel } from "@periscope/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isDeep, numbers } from "./deep.js";
import { callTool } from "./endpoints.js";
import { languageTexts } from "./language-texts.js";
import { createMessage, deleteMessage, heartbeat, updateMessage } from "./messages.js";
import { routes, sampleOf } from "./sample-requests.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** A context as it is synced. */
type TwinContext = Record<string, unknown> & { id: string; privacyLevel: PrivacyLevel };

/** Two users, each on a server of their own, who differ by what a key with a level may not see. */
interface Twins extends AsyncDisposable {
  /** A key with the level, of the user who has visible and hidden contexts. */
  limited: TestClient;
  /** The same key of the user who only ever had the visible ones. */
  twin: TestClient;
  /** A key of the twin that sees all that the twin has. */
  unlimited: TestClient;
  /** The key that stored the contexts of the user with both. */
  owner: TestClient;
  /** The server of the user with both. */
  server: TestServer;
}

const levels = ["public", "private", "filtered", "restricted"] as const;
const start = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const at = (time: number): string => new Date(time).toISOString();

/** Contexts that a key with the level may see, and as it chances as many that it may not, in the order in which they arrive. */
function makeContexts(level: PrivacyLevel, { visible, hidden }: { visible: number; hidden: number }): TwinContext[] {
  const next = numbers(11);
  // Few words are frequent, and many are rare; each text is a word list of a different length.
  const word = (): string => `w${Math.floor(Math.exp((next(1000) / 1000) * Math.log(2000))).toString(36)}`;
  const words = (count: number): string => Array.from({ length: count }, word).join(" ");
  const seen = levels.slice(0, levels.indexOf(level) + 1);
  const unseen = levels.slice(seen.length);
  let [shown, shut] = [0, 0];
  return Array.from({ length: visible + hidden }, (_, index) => {
    const isVisible = shut === hidden || (shown < visible && next(visible + hidden) < visible);
    const own = isVisible ? seen : unseen;
    const privacyLevel = own[next(own.length)] ?? level;
    const id = isVisible ? `v${shown++}` : `h${shut++}`;
    // What is hidden is older and newer than all that is seen, in other languages, of other sites, longer, and about other things.
    const time = start + next(60 * 24) * 3_600_000 + (isVisible ? 0 : (next(3) - 1) * 90 * day);
    const seenWords = [index % 2 === 0 && "frequentword", index % 7 === 0 && "seventh seal", index === 40 && "lighthouse keeper"];
    const unseenWords = ["secretword lighthouze katzen w1 w1 w1 w2", index % 2 === 0 && "lonelyword", languageTexts.de];
    const extra = isVisible
      ? [...seenWords, id === "v1" && "katzes", index % 5 === 0 && languageTexts.en]
      : [...unseenWords, index % 3 === 0 && words(300)];
    const content = [words(10 + next(60)), ...extra].filter((text) => text !== false).join(" ");
    const url = `https://${isVisible ? "site" : "sinister"}${next(9)}.example/Path/${index}`;
    return {
      id,
      type: next(4) === 0 ? "element" : "page",
      tabId: String(next(5)),
      capturedAt: at(time),
      privacyLevel,
      content,
      metadata: { project: word() },
      tabMetadata: { id: "7", url, title: words(3), isActive: next(3) > 0 },
    };
  });
}

/** Syncs contexts in batches, in order, and views some. */
async function store(client: TestClient, contexts: readonly TwinContext[]): Promise<void> {
  for (let from = 0; from < contexts.length; from += 100) {
    const some = contexts.slice(from, from + 100);
    const messages = some.map((context) =>
      createMessage({ messageId: `m-${context.id}`, extensionId: `e${context["tabId"] as string}`, context }),
    );
    expect((await client.batch(messages)).body).toMatchObject({ failed: 0 });
    for (const { id, capturedAt } of some.filter((each) => each.id.endsWith("3"))) await client.sync(heartbeat(id, capturedAt as string));
  }
}

/** The twins of a level, with their contexts. */
async function startTwins(level: PrivacyLevel, counts: { visible: number; hidden: number }): Promise<Twins> {
  const servers = [await TestServer.start(), await TestServer.start()] as const;
  const [server, other] = servers;
  // Their clocks stand still, so that their answers have the same times.
  for (const each of servers) each.clock.now = start + 200 * day;
  const [owner, unlimited] = [await server.client(), await other.client()];
  const contexts = makeContexts(level, counts);
  await store(owner, contexts);
  const shown = contexts.filter(({ id }) => id.startsWith("v"));
  await store(unlimited, shown);
  // One that was hidden, and that its user deleted.
  await owner.sync(createMessage({ context: { id: "gone", privacyLevel: "restricted" } }));
  await owner.delete("/context/gone");
  const limited = await server.client({ userId: owner.userId, name: "limited", maxPrivacyLevel: level });
  const twin = await other.client({ userId: unlimited.userId, name: "limited", maxPrivacyLevel: level });
  const dispose = async () => {
    for (const each of servers) await each[Symbol.asyncDispose]();
  };
  return { limited, twin, unlimited, owner, server, [Symbol.asyncDispose]: dispose };
}

/** Headers that tell the time, the request, or how many requests the user has left. */
const ownHeaders = ["date", "x-request-id", "x-ratelimit-remaining"];

/** What a client is told, without what is new in each answer and names the twins. */
function toldBy({ status, headers, body }: Answer, { userId, keyId }: TestClient): object {
  const kept = [...headers].filter(([name]) => !ownHeaders.includes(name));
  const text = JSON.stringify({ status, headers: kept, body }).replaceAll(userId, "USER").replaceAll(keyId, "KEY");
  return JSON.parse(text.replaceAll(/[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}/g, "new"));
}

const search = (query: string, more = "limit=1000"): string => `/context/search?query=${encodeURIComponent(query)}&${more}`;

// The third and fourth line: what is found, spelled and stemmed by what is hidden alone.
const searches = [
  'frequentword|w1|w2k|w1 w2|frequentword w1|"seventh seal"|"w1 w2" OR "w2 w1"|w1 -w2|frequentword -"seventh seal"|w1 OR w2 -frequentword',
  "frequentword OR secretword|w1 w2 w3|w9 w8 w1 w2 frequentword|which w1a w1b w1c seventh w1d frequentword|lighthouse keeper w1 w2",
  'secretword|secretword lonelyword|secretword frequentword w1|"secretword lonelyword"|secretwurd|lighthouxe|frequentwurd|katzen|katze',
  "sinister|nothing|nothing w1|-w1|the|Händen",
].flatMap((line) => line.split("|"));

const ranges = [
  "startTime=2025-12-31T00:00:00Z",
  "startTime=2025-06-01T00:00:00Z&endTime=2025-12-01T00:00:00Z",
  "startTime=2026-01-05T00:00:00Z&endTime=2026-01-09T13:30:00Z",
  "endTime=2026-02-01T00:00:00Z",
];

/** Every operation that reads, but the live channel, which has tests of its own, and that of the key, which counts its requests. */
const sampled = routes
  .filter(({ name, meta }) => meta.openapi.method === "GET" && !meta.isLive && name !== "key")
  .flatMap((route) => ["v0", "h0"].map((id) => sampleOf(route, id).path));

/** What both are asked: every operation that reads, and those of contexts in many ways. */
function readPaths(): string[] {
  const contexts = [
    "current current?maxChars=20 current?tabId=2 current?tabId=9 current?extensionId=e3&tabId=3 history?limit=200 history?limit=7&offset=40",
    "history?offset=100000 history?type=element&limit=3 history?since=2025-06-01T00:00:00Z&until=2025-12-01T00:00:00Z history?cursor=x",
    "history?since=2026-01-05T00:00:00Z&until=2026-01-09T13:30:00Z v0 v7?maxChars=25 h0 h1 none v0?contentCursor=x h0?contentCursor=x search",
  ].flatMap((line) => line.split(" "));
  return [
    ...contexts.map((path) => `/context/${path}`),
    ...sampled,
    ...levels.map((level) => `/context/history?privacyLevel=${level}&limit=5`),
    ...searches.map((query) => search(query)),
    search("frequentword", "limit=20&offset=90"),
    search("w1 w2 w3", "limit=30&offset=110"),
    search("w1", "limit=1000&type=element"),
    search("w1", "urlPattern=si&limit=1000"),
    search("w1 w2 frequentword", "urlPattern=site*&limit=1000"),
    ...levels.flatMap((level) => [search("w1", `privacyLevel=${level}`), `/context/search?urlPattern=si&privacyLevel=${level}`]),
    ...ranges.flatMap((range) => [
      search("w1", `limit=1000&${range}`),
      search("w1 w2 w3 frequentword", `limit=1000&${range}`),
      search('"seventh seal"', range),
      `/context/search?urlPattern=site1&limit=1000&${range}`,
    ]),
    ..."s si sin sit example e /path/1 */path/1* *sinister* https://si*9 % site_"
      .split(" ")
      .map((pattern) => `/context/search?limit=1000&urlPattern=${encodeURIComponent(pattern)}`),
  ];
}

/** Asks all the same, and expects the same answers. */
async function expectSame(clients: readonly TestClient[], ask: (client: TestClient) => Promise<Answer>, asked: unknown) {
  const answers = await Promise.all(clients.map(ask));
  const [first, ...others] = answers.map((answer, index) => ({ asked, ...toldBy(answer, clients[index]!) }));
  for (const other of others) expect(other).toEqual(first);
  return answers[0]!;
}

/** Ids of a hidden context, of one that was hidden and deleted, and of none. */
const unseenIds = ["h1", "gone", "none"] as const;

/** Messages about an id, with each of them sent again, and sent with another body under its message id. */
function messagesAbout(id: string): Array<{ what: string; message: object }> {
  const [past, future] = ["2025-01-01T00:00:00Z", "2026-06-01T00:00:00Z"];
  const create = (timestamp: string, more: object = {}) =>
    createMessage({ messageId: `c-${timestamp}-${id}`, timestamp, context: { id, privacyLevel: "public", capturedAt: past, ...more } });
  const beat = { ...heartbeat(id, future), id: `h-${id}` };
  return [
    { what: "an update", message: updateMessage(id, { title: "Mine" }, { messageId: `u-${id}`, timestamp: future }) },
    { what: "an old update", message: updateMessage(id, { title: "Mine" }, { messageId: `o-${id}`, timestamp: past }) },
    { what: "a heartbeat", message: beat },
    { what: "a heartbeat again", message: beat },
    { what: "an old delete", message: deleteMessage(id, { messageId: `b-${id}`, timestamp: past }) },
    { what: "a create", message: create(past) },
    { what: "a create again", message: create(past) },
    { what: "a create of another text under its message id", message: create(past, { content: "Something else." }) },
    { what: "a create of another time under its message id", message: { ...create(future), id: `c-${past}-${id}` } },
  ];
}

/** Calls of every tool of MCP, about what is visible and what is hidden. */
const toolCalls: ReadonlyArray<readonly [name: string, args: object]> = [
  ["get_current_context", {}],
  ["list_history", { limit: 20 }],
  ["list_history", { since: "2025-01-01T00:00:00Z", until: "2025-12-01T00:00:00Z" }],
  ["search_contexts", { query: "w1 w2 frequentword" }],
  ["search_contexts", { query: "katzen" }],
  ["search_contexts", { urlPattern: "sinister" }],
  ["get_context", { contextId: "v3" }],
  ["get_context", { contextId: "h3" }],
  ["delete_context", { contextId: "h3" }],
];

// A deep run tries the other levels, too, with many more contexts.
const tried: readonly PrivacyLevel[] = isDeep ? ["public", "private", "filtered"] : ["private"];
const [visible, hidden] = isDeep ? [6_000, 5_000] : [160, 120];

describe.each(tried)("a key limited to %s", (level) => {
  let twins: Twins;
  beforeAll(async () => void (twins = await startTwins(level, { visible, hidden })), 900_000);
  afterAll(() => twins[Symbol.asyncDispose]());

  it("reads everything as if hidden contexts had never been", async () => {
    const { limited, twin, unlimited } = twins;
    const statuses = new Set<number>();
    const totals: number[] = [];
    for (const path of readPaths()) {
      // A search answers a key without a level alike, too.
      const isSearch = path.includes("/search?");
      const { status, body } = await expectSame(
        isSearch ? [limited, twin, unlimited] : [limited, twin],
        (client) => client.get(path),
        path,
      );
      statuses.add(status);
      if (isSearch) totals.push(body.total);
    }
    expect([statuses, Math.max(...totals)]).toEqual([new Set([200, 400, 403, 404]), visible]);
  });

  it("pages through history with the same cursors", async () => {
    let pages = 0;
    for (let cursor = ""; pages === 0 || cursor; pages++) {
      const path = `/context/history?limit=30${cursor && `&cursor=${cursor}`}`;
      cursor = (await expectSame([twins.limited, twins.twin], (client) => client.get(path), path)).body.nextCursor;
    }
    expect(pages).toBe(Math.ceil(visible / 30));
  });

  it.each(toolCalls)("gets the same from the MCP tool %s with %j", async (name, args) => {
    await expectSame([twins.limited, twins.twin], (client) => callTool(client, name, args), [name, args]);
  });

  it("cannot tell hidden ids from unknown ones by its writes, nor change them", async () => {
    const { owner, limited, twin } = twins;
    const before = (await owner.get("/context/h1")).body;
    for (const id of unseenIds) {
      await expectSame([limited, twin], (client) => client.delete(`/context/${id}`), `DELETE ${id}`);
      const statuses: number[] = [];
      for (const { what, message } of messagesAbout(id))
        statuses.push((await expectSame([limited, twin], (client) => client.sync(message), `${what} of ${id}`)).status);
      expect(statuses).toEqual([404, 404, 201, 201, 201, 201, 201, 400, 400]);
    }
    const messages = ["h2", "h3", "unknown"].flatMap((id) => messagesAbout(id).map(({ message }) => message));
    const { body } = await expectSame([limited, twin], (client) => client.batch(messages), "a batch");
    expect(body).toMatchObject({ failed: 12 });
    expect((await owner.get("/context/h1")).body).toEqual(before);
  });

  it("cannot delete what is hidden, and its newer create keeps the level", async () => {
    const { owner, limited } = twins;
    const timestamp = "2026-06-02T00:00:00Z";
    const { privacyLevel } = (await owner.get("/context/h4")).body;
    expect((await limited.sync(deleteMessage("h4", { timestamp }))).status).toBe(201);
    expect((await limited.sync(heartbeat("h4", timestamp))).body).not.toHaveProperty("contextId");
    const newer = createMessage({ timestamp, context: { id: "h4", privacyLevel: "public", title: "Mine" } });
    expect((await limited.sync(newer)).body).toMatchObject({ contextId: "h4", privacyLevel: "public" });
    expect((await owner.get("/context/h4")).body).toMatchObject({ privacyLevel });
    expect((await limited.get("/context/h4")).status).toBe(404);
  });

  it("cannot tell by how much is stored under ids that it updates", async () => {
    const { server, owner, limited, twin } = twins;
    const ids = Array.from({ length: 17 }, (_, index) => `h${index + 10}`);
    const content = "x".repeat(1_048_576);
    for (const id of ids)
      await server.rows(`UPDATE contexts SET content = ? WHERE "userId" = ? AND "contextId" = ?`, content, owner.userId, id);
    const updates = ids.map((id) => updateMessage(id, { title: "Mine" }, { messageId: `much-${id}` }));
    const { status, body } = await expectSame([limited, twin], (client) => client.batch(updates), "a batch of updates");
    expect([status, body.failed]).toEqual([207, 17]);
    expect((await owner.batch(updates)).status).toBe(413);
  });

  it("changes and deletes what it sees", async () => {
    const { limited, owner } = twins;
    expect((await limited.sync(updateMessage("v5", { title: "Mine" }, { timestamp: "2026-06-01T00:00:00Z" }))).status).toBe(201);
    expect((await owner.get("/context/v5")).body.title).toBe("Mine");
    expect((await limited.delete("/context/v5")).status).toBe(204);
    expect((await owner.get("/context/v5")).status).toBe(404);
  });
});
