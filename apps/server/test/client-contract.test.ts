import { type ErrorCode, limits, statusOfError } from "@periscope/schemas";
import {
  type BatchItem,
  type CallOptions,
  type NewMessage,
  NotFoundError,
  Periscope,
  PermissionError,
  type PeriscopeOptions,
} from "@periscope/client";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { NewKey } from "../src/access/access.service.js";
import { failInserts } from "./failing-inserts.js";
import { TestServer } from "./test-server.js";

// Drives the server through @periscope/client only: what an agent's developer relies on.

/** A client with a key of its own, of a new user with every scope unless told otherwise. */
async function clientOf(server: TestServer, wanted: Partial<NewKey> = {}, options: PeriscopeOptions = {}): Promise<Periscope> {
  const { key } = await server.client(wanted);
  return new Periscope({ baseUrl: server.baseUrl, apiKey: key, ...options });
}

type CreateMessage = Extract<NewMessage, { type: "create" }>;

function create(id: string, fields: Partial<CreateMessage["payload"]["context"]> = {}, message: Partial<CreateMessage> = {}): NewMessage {
  const tabMetadata = { id: "7", url: "https://articles.example/reading", title: "Lighthouses" };
  const context = {
    id,
    type: "page",
    tabId: "7",
    capturedAt: "2026-01-31T12:00:00Z",
    content: "The keeper lights the lamp.",
    tabMetadata,
  } as const;
  return { type: "create", timestamp: "2026-01-31T12:00:01Z", payload: { context: { ...context, ...fields } }, ...message };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  return await Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Sends requests for real, and loses the first answer. */
function losesFirstAnswer(): typeof fetch {
  let lost = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (lost) return response;
    lost = true;
    await response.text();
    throw new TypeError("fetch failed");
  };
}

it("describes its key", async () => {
  await using server = await TestServer.start();
  const { key, userId, keyId } = await server.client({ scopes: ["read"], name: "Agent" });
  const periscope = new Periscope({ baseUrl: server.baseUrl, apiKey: key });
  expect(await periscope.key()).toMatchObject({ userId, keyId, name: "Agent", scopes: ["read"], server: { live: false } });
});

describe("a context", () => {
  it("can be synced, read, updated, searched and deleted", async () => {
    await using server = await TestServer.start();
    const periscope = await clientOf(server);
    expect(await periscope.current()).toBeNull();
    expect(await periscope.history()).toMatchObject({ items: [], total: 0 });

    const receipt = await periscope.sync(create("page-1", { content: "Ask jo@example.org about the lamp.", privacyLevel: "filtered" }));
    expect(receipt).toMatchObject({ status: "success", contextId: "page-1", privacyLevel: "filtered", redactions: { email: 1 } });
    const { data: context, rateLimit, requestId, attempts, response } = await periscope.current().withResponse();
    expect(context).toMatchObject({ contextId: "page-1", title: "Lighthouses", content: "Ask [REDACTED:email] about the lamp." });
    expect([attempts, response.status, typeof requestId, rateLimit?.resetAt instanceof Date]).toEqual([1, 200, "string", true]);
    expect(await periscope.get("page-1")).toEqual(context);

    await periscope.sync({ type: "update", payload: { context: { id: "page-1", title: "Lamps" } }, timestamp: "2026-01-31T12:00:02Z" });
    await periscope.sync({ type: "heartbeat", payload: { contextId: "page-1" } });
    expect(await periscope.history({ type: "page", until: new Date("2026-02-01") })).toMatchObject({
      items: [{ title: "Lamps" }],
      total: 1,
    });
    expect(await periscope.search("lamp")).toMatchObject({
      items: [{ contextId: "page-1", title: "Lamps" }],
      total: 1,
      totalIsExact: true,
    });
    expect(await periscope.search({ urlPattern: "articles.example" })).toMatchObject({ items: [{ relevance: 1 }], query: "" });

    expect(await periscope.delete("page-1")).toEqual({ deleted: true });
    expect(await periscope.delete("page-1")).toEqual({ deleted: false });
    expect(NotFoundError.is(await failureOf(periscope.get("page-1")))).toBe(true);
    expect(await periscope.current()).toBeNull();
  });

  it("can be read in parts", async () => {
    await using server = await TestServer.start();
    const periscope = await clientOf(server);
    const content = "The lamp 🗼 turns. ".repeat(300).trim();
    await periscope.sync(create("long", { content }));
    const parts: string[] = [];
    let contentCursor: string | undefined;
    do {
      const part = await periscope.get("long", { maxChars: 1_000, contentCursor });
      expect(part.content.length).toBeLessThanOrEqual(1_000);
      parts.push(part.content);
      contentCursor = part.nextContentCursor;
    } while (contentCursor !== undefined);
    expect(parts.join("")).toBe(content);
    expect(parts.length).toBeGreaterThan(4);
  });
});

it("syncs any number of messages and pages over all of them", async () => {
  await using server = await TestServer.start();
  const periscope = await clientOf(server);
  const ids = Array.from({ length: 230 }, (_, index) => `page-${index}`);
  const messages = ids.map((id, index) =>
    create(id, { capturedAt: new Date(Date.UTC(2026, 0, 31, 0, index)).toISOString() }, { id: `m-${id}` }),
  );
  const outcome = await periscope.syncAll(messages);
  expect(outcome.throwIfFailed()).toMatchObject({ synced: 230, duplicates: 0, failed: 0 });
  expect((await periscope.syncAll(messages)).duplicates).toBe(230);

  const history = await collect(periscope.history({ limit: 50 }));
  expect(history.map(({ contextId }) => contextId)).toEqual(ids.toReversed());
  const found = await periscope.search({ query: "lamp", limit: 100 }).toArray({ limit: 1_000 });
  expect(new Set(found.map(({ contextId }) => contextId))).toEqual(new Set(ids));
  expect(await periscope.history().toArray({ limit: 7 })).toEqual(history.slice(0, 7));
});

it("reports the outcome of each message of a batch", async () => {
  await using server = await TestServer.start();
  const periscope = await clientOf(server, { scopes: ["read", "write"] });
  const messages: NewMessage[] = [
    create("kept", {}, { id: "m1" }),
    create("kept", {}, { id: "m1" }),
    create("other", {}, { id: "m1" }),
    create("bad id!"),
    create("of-another", {}, { userId: "usr_another" }),
    { type: "update", payload: { context: { id: "nowhere", title: "x" } } },
    create("private-window", { tabMetadata: { id: "7", url: "https://articles.example/", title: "x", incognito: true } }),
    { type: "delete", payload: { context: { id: "kept" } } },
    { id: "x".repeat(129), type: "heartbeat" },
  ];
  const { items, ...counts } = await periscope.syncAll(messages);
  const said = (item: BatchItem) => (item.status === "failed" ? item.code : item.status);
  expect(items.map(said)).toEqual([
    "synced",
    "duplicate",
    "message_id_reused",
    "validation_error",
    "forbidden",
    "not_found",
    "privacy_rejected",
    "forbidden",
    "validation_error",
  ]);
  expect(counts).toMatchObject({ synced: 1, duplicates: 1, failed: 7, stoppedBy: null });
});

it.each<[string, (periscope: Periscope) => PromiseLike<unknown>, object]>([
  ["sync", (periscope) => periscope.sync(create("page-1")), { contextId: "page-1", duplicate: true }],
  ["syncAll", (periscope) => periscope.syncAll([create("page-1")]), { synced: 0, duplicates: 1, failed: 0 }],
  ["delete", (periscope) => periscope.delete("there"), { deleted: true }],
])("takes effect once if an answer is lost: %s", async (_, call, expected) => {
  await using server = await TestServer.start();
  const sure = await clientOf(server);
  await sure.sync(create("there"));
  const unlucky = sure.with({ fetch: losesFirstAnswer() });
  expect(await call(unlucky)).toMatchObject(expected);
  const left = (await sure.history()).items.map(({ contextId }) => contextId);
  expect(left.toSorted()).toEqual("deleted" in expected ? [] : ["page-1", "there"]);
});

it("waits until the server's rate limit resets, then continues", async () => {
  await using server = await TestServer.start({ rateLimits: { ...budgets, search: 1 } });
  server.clock.now = Date.parse("2026-01-31T12:00:59.500Z");
  const statuses: number[] = [];
  const periscope = await clientOf(
    server,
    {},
    {
      onResponse({ status }) {
        statuses.push(status);
        if (status === 429) server.clock.now = Date.parse("2026-01-31T12:01:00.500Z");
      },
    },
  );
  await periscope.search("lamp");
  const { attempts } = await periscope.search("lamp").withResponse();
  expect([attempts, statuses]).toEqual([2, [200, 429, 200]]);
});

it("asks for another key when its key is revoked", async () => {
  await using server = await TestServer.start();
  const first = await server.client();
  const second = await server.client({ userId: first.userId });
  const keys = [first.key, first.key, second.key];
  const periscope = new Periscope({ baseUrl: server.baseUrl, apiKey: () => keys.shift() ?? "" });
  await periscope.sync(create("page-1"));
  await server.access.revokeKey(first.keyId);
  const { data, attempts } = await periscope.current().withResponse();
  expect([data?.contextId, attempts]).toEqual(["page-1", 2]);
});

const budgets = { sync: 1_000, batchSync: 1_000, read: 1_000, search: 1_000, delete: 1_000, anonymous: 1_000 };
const once: CallOptions = { maxRetries: 0 };
const withRequest = (change: RequestInit): PeriscopeOptions => ({ fetch: (input) => fetch(new Request(input, change)) });

/** A way to each error code, by one call. The `Record` makes a code without one a type error. */
const ways: Record<ErrorCode, (server: TestServer) => Promise<unknown>> = {
  bad_request: async (server) => await (await clientOf(server)).history({ limit: 0 }),
  message_id_reused: async (server) => {
    const periscope = await clientOf(server);
    await periscope.sync(create("one", {}, { id: "m1" }));
    return await periscope.sync(create("two", {}, { id: "m1" }));
  },
  unauthorized: async (server) => await (await clientOf(server, {}, { apiKey: "psk_unknown_key" })).current(),
  forbidden: async (server) => await (await clientOf(server, { scopes: ["read"] })).sync(create("page-1")),
  privacy_rejected: async (server) => {
    const tabMetadata = { id: "7", url: "chrome://settings", title: "Settings" };
    return await (await clientOf(server)).sync(create("page-1", { tabMetadata }));
  },
  not_found: async (server) => await (await clientOf(server)).get("nowhere"),
  method_not_allowed: async (server) => await (await clientOf(server, {}, withRequest({ method: "PATCH" }))).current(),
  payload_too_large: async (server) => {
    return await (await clientOf(server)).sync(create("page-1", { content: "x".repeat(limits.bodyBytesMax) }));
  },
  unsupported_media_type: async (server) => {
    const fetchAsText: PeriscopeOptions = {
      fetch: (input) => {
        const request = new Request(input);
        request.headers.set("Content-Type", "text/plain");
        return fetch(request);
      },
    };
    return await (await clientOf(server, {}, fetchAsText)).sync(create("page-1"));
  },
  rate_limited: async (server) => {
    server.clock.now = Date.parse("2026-01-31T12:00:10Z");
    const periscope = await clientOf(server, {}, { deadlineMs: 20_000 });
    for (let request = 0; request < 3; request += 1) await periscope.delete(randomUUID());
    return await periscope.delete("nowhere");
  },
  internal_error: async (server) => {
    await failInserts(server, "processed_messages");
    return await (await clientOf(server)).sync(create("page-1"), once);
  },
  unavailable: async (server) => {
    const periscope = await clientOf(server);
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
    await using server = await TestServer.start({ rateLimits: { ...budgets, delete: 3 } });
    const error = await failureOf(ways[code](server));
    const common = { status: statusOfError[code], code, attempts: 1, requestId: expect.stringMatching(/./) };
    expect(error).toMatchObject({ ...common, ...details[code] });
    expect((error as Error).message).toContain((error as { requestId: string }).requestId);
  });

  it.each<[string, (periscope: Periscope) => PromiseLike<unknown>]>([
    ["current", (periscope) => periscope.current()],
    ["get", (periscope) => periscope.get("page-1")],
    ["delete", (periscope) => periscope.delete("page-1")],
  ])("a wrong baseUrl is reported as such: %s", async (_, call) => {
    await using server = await TestServer.start();
    const periscope = await clientOf(server);
    for (const baseUrl of [`${new URL(server.baseUrl).origin}/other`, `${server.baseUrl.slice(0, -1)}9`]) {
      const error = await failureOf(call(periscope.with({ baseUrl })));
      expect(error).toMatchObject({ name: "NotFoundError", message: expect.stringContaining("check baseUrl") });
    }
    // Unknown paths below the version prefix are answered elsewhere in the service.
    const elsewhere: typeof fetch = (input) => {
      const request = new Request(input);
      return fetch(new Request(request.url.replace("/context/", "/contexts/"), request));
    };
    const error = await failureOf(call(periscope.with({ fetch: elsewhere })));
    expect(error).toMatchObject({ name: "NotFoundError", message: expect.stringContaining("check baseUrl") });
  });

  it("another user's context cannot be read or deleted", async () => {
    await using server = await TestServer.start();
    await (await clientOf(server)).sync(create("theirs"));
    const other = await clientOf(server);
    expect(PermissionError.is(await failureOf(other.delete("theirs")))).toBe(true);
    expect(NotFoundError.is(await failureOf(other.get("theirs")))).toBe(true);
  });
});
