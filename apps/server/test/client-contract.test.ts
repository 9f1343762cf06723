import { type NewMessage, NotFoundError, Periscope, type PeriscopeOptions } from "@periscope/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { NewKey } from "../src/access/access.service.js";
import { contextFields } from "./messages.js";
import { TestServer } from "./test-server.js";

// Drives the server through @periscope/client only: what an agent's developer relies on.

let shared: TestServer;
beforeAll(async () => void (shared = await TestServer.start()));
afterAll(() => shared[Symbol.asyncDispose]());

/** A client with a key of its own, of a new user with every scope unless told otherwise. */
async function clientOf(wanted: Partial<NewKey> = {}, options: PeriscopeOptions = {}, server = shared): Promise<Periscope> {
  const { key } = await server.client(wanted);
  return new Periscope({ baseUrl: server.baseUrl, apiKey: key, ...options });
}

type CreateMessage = Extract<NewMessage, { type: "create" }>;
type Fields = CreateMessage["payload"]["context"];

const create = (id: string, fields: Partial<Fields> = {}, message: Partial<CreateMessage> = {}): NewMessage => ({
  type: "create",
  timestamp: "2026-01-31T12:00:01Z",
  payload: { context: contextFields({ id, content: "The keeper lights the lamp.", ...fields }) as unknown as Fields },
  ...message,
});

async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}

it("syncs, reads, updates, searches and deletes a context", async () => {
  const periscope = await clientOf();
  expect(await periscope.current()).toBeNull();
  const receipt = await periscope.sync(create("page-1", { content: "Ask jo@example.org about the lamp.", privacyLevel: "filtered" }));
  expect(receipt).toMatchObject({ status: "success", contextId: "page-1", privacyLevel: "filtered", redactions: { email: 1 } });
  const { data: context, rateLimit, requestId, attempts, response } = await periscope.current().withResponse();
  expect(context).toMatchObject({ contextId: "page-1", title: "Lighthouses", content: "Ask [REDACTED:email] about the lamp." });
  expect([attempts, response.status, typeof requestId, rateLimit?.resetAt instanceof Date]).toEqual([1, 200, "string", true]);
  expect(await periscope.get("page-1")).toEqual(context);

  await periscope.sync({ type: "update", payload: { context: { id: "page-1", title: "Lamps" } }, timestamp: "2026-01-31T12:00:02Z" });
  await periscope.sync({ type: "heartbeat", payload: { contextId: "page-1" } });
  const history = await periscope.history({ type: "page", until: new Date("2026-02-01") });
  expect(history).toMatchObject({ items: [{ title: "Lamps" }], total: 1 });
  const found = { items: [{ contextId: "page-1", title: "Lamps" }], total: 1, totalIsExact: true };
  expect(await periscope.search("lamp")).toMatchObject(found);
  expect(await periscope.search({ urlPattern: "articles.example" })).toMatchObject({ items: [{ relevance: 1 }], query: "" });

  expect(await periscope.delete("page-1")).toEqual({ deleted: true });
  expect(await periscope.delete("page-1")).toEqual({ deleted: false });
  expect(NotFoundError.is(await failureOf(periscope.get("page-1")))).toBe(true);
});

it("syncs any number of messages and pages over all of them", async () => {
  const periscope = await clientOf();
  const ids = Array.from({ length: 230 }, (_, index) => `page-${index}`);
  const messages = ids.map((id, index) =>
    create(id, { capturedAt: new Date(Date.UTC(2026, 0, 31, 0, index)).toISOString() }, { id: `m-${id}` }),
  );
  const outcome = await periscope.syncAll(messages);
  expect(outcome.throwIfFailed()).toMatchObject({ synced: 230, duplicates: 0, failed: 0 });
  expect((await periscope.syncAll(messages)).duplicates).toBe(230);
  const history = await periscope.history({ limit: 50 }).toArray({ limit: 1_000 });
  expect(history.map(({ contextId }) => contextId)).toEqual(ids.toReversed());
  const found = await periscope.search({ query: "lamp", limit: 100 }).toArray({ limit: 1_000 });
  expect(new Set(found.map(({ contextId }) => contextId))).toEqual(new Set(ids));
});

it.each<[string, (periscope: Periscope) => PromiseLike<unknown>, object]>([
  ["sync", (periscope) => periscope.sync(create("page-1")), { contextId: "page-1", duplicate: true }],
  ["syncAll", (periscope) => periscope.syncAll([create("page-1")]), { synced: 0, duplicates: 1, failed: 0 }],
  ["delete", (periscope) => periscope.delete("there-delete"), { deleted: true }],
])("takes effect once if an answer is lost: %s", async (what, call, expected) => {
  const sure = await clientOf();
  await sure.sync(create(`there-${what}`));
  let isLost = false;
  const losesFirstAnswer: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (isLost) return response;
    isLost = true;
    await response.text();
    throw new TypeError("fetch failed");
  };
  expect(await call(sure.with({ fetch: losesFirstAnswer }))).toMatchObject(expected);
  const left = (await sure.history()).items.map(({ contextId }) => contextId);
  expect(left.toSorted()).toEqual("deleted" in expected ? [] : ["page-1", `there-${what}`]);
});

it("shows a rate limit of the service as it stands", async () => {
  await using server = await TestServer.start({ rateLimits: { ...shared.config.rateLimits, delete: 1 } });
  server.clock.now = Date.parse("2026-01-31T12:00:10Z");
  const periscope = await clientOf({}, { deadlineMs: 20_000 }, server);
  await periscope.delete("nowhere");
  const error = await failureOf(periscope.delete("nowhere"));
  const limits = { limit: 1, remaining: 0, resetAt: new Date("2026-01-31T12:01:00Z"), retryAfterMs: 50_000 };
  expect(error).toMatchObject({ name: "RateLimitError", status: 429, attempts: 1, requestId: expect.stringMatching(/./), ...limits });
});
