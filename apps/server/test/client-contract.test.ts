import { type ErrorCode, limits, statusOfError } from "@periscope/schemas";
import { type BatchItem, type CallOptions, type NewMessage, NotFoundError, Periscope, type PeriscopeOptions } from "@periscope/client";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NewKey } from "../src/access/access.service.js";
import { failInserts } from "./failing-inserts.js";
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

it("reports the outcome of each message of a batch", async () => {
  const periscope = await clientOf({ scopes: ["read", "write"] });
  const messages: NewMessage[] = [
    create("kept", {}, { id: "m1" }),
    create("kept", {}, { id: "m1" }),
    create("other", {}, { id: "m1" }),
    create("bad id!"),
    create("of-another", {}, { userId: "usr_another" }),
    { type: "update", payload: { context: { id: "nowhere", title: "x" } } },
    create("private-window", { tabMetadata: { id: "7", url: "https://articles.example/", title: "x", incognito: true } }),
    { type: "delete", payload: { context: { id: "kept" } } },
  ];
  const { items, ...counts } = await periscope.syncAll(messages);
  const said = (item: BatchItem) => (item.status === "failed" ? item.code : item.status);
  const refused = ["message_id_reused", "validation_error", "forbidden", "not_found", "privacy_rejected", "forbidden"];
  expect(items.map(said)).toEqual(["synced", "duplicate", ...refused]);
  expect(counts).toMatchObject({ synced: 1, duplicates: 1, failed: 6, stoppedBy: null });
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

const plenty = 1_000;
const rateLimits = { sync: plenty, batchSync: plenty, read: plenty, search: plenty, delete: 3, anonymous: plenty };
const once: CallOptions = { maxRetries: 0 };
const withRequest = (change: RequestInit): PeriscopeOptions => ({ fetch: (input) => fetch(new Request(input, change)) });

/** A way to each error code, by one call. The `Record` makes a code without one a type error. */
const ways: Record<ErrorCode, () => Promise<unknown>> = {
  bad_request: async () => await (await clientOf()).history({ limit: 0 }),
  message_id_reused: async () => {
    const periscope = await clientOf();
    await periscope.sync(create("one", {}, { id: "m1" }));
    return await periscope.sync(create("two", {}, { id: "m1" }));
  },
  unauthorized: async () => await (await clientOf({}, { apiKey: "psk_unknown_key" })).current(),
  forbidden: async () => await (await clientOf({ scopes: ["read"] })).sync(create("page-1")),
  privacy_rejected: async () => {
    const tabMetadata = { id: "7", url: "chrome://settings", title: "Settings" };
    return await (await clientOf()).sync(create("page-1", { tabMetadata }));
  },
  not_found: async () => await (await clientOf()).get("nowhere"),
  method_not_allowed: async () => await (await clientOf({}, withRequest({ method: "PATCH" }))).current(),
  payload_too_large: async () => await (await clientOf()).sync(create("page-1", { content: "x".repeat(limits.bodyBytesMax) })),
  unsupported_media_type: async () => {
    const asText: typeof fetch = (input) => {
      const request = new Request(input);
      request.headers.set("Content-Type", "text/plain");
      return fetch(request);
    };
    return await (await clientOf({}, { fetch: asText })).sync(create("page-1"));
  },
  rate_limited: async () => {
    await using server = await TestServer.start({ rateLimits });
    server.clock.now = Date.parse("2026-01-31T12:00:10Z");
    const periscope = await clientOf({}, { deadlineMs: 20_000 }, server);
    for (let request = 0; request < 3; request += 1) await periscope.delete(randomUUID());
    return await periscope.delete("nowhere");
  },
  internal_error: async () => {
    await using server = await TestServer.start();
    await failInserts(server, "processed_messages");
    return await (await clientOf({}, {}, server)).sync(create("page-1"), once);
  },
  unavailable: async () => {
    await using server = await TestServer.start();
    const periscope = await clientOf({}, {}, server);
    // A connection that is already open is answered while the server closes.
    await periscope.current();
    const closed = server.close();
    const error = await failureOf(periscope.current({}, once));
    await closed;
    throw error;
  },
};

/** What some errors carry beside their code. */
const details: Partial<Record<ErrorCode, object>> = {
  rate_limited: { name: "RateLimitError", limit: 3, remaining: 0, resetAt: new Date("2026-01-31T12:01:00Z"), retryAfterMs: 50_000 },
  payload_too_large: { name: "PayloadTooLargeError", maxBytes: limits.bodyBytesMax },
};

describe("every error of the service", () => {
  it.each(Object.keys(ways) as ErrorCode[])("%s", async (code) => {
    const error = await failureOf(ways[code]());
    const common = { status: statusOfError[code], code, attempts: 1, requestId: expect.stringMatching(/./) };
    expect(error).toMatchObject({ ...common, ...details[code] });
    expect((error as Error).message).toContain((error as { requestId: string }).requestId);
  });
});
