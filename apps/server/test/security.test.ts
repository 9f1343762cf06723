import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccessService } from "../src/access/access.service.js";
import { allScopes, type Scope } from "../src/access/access.store.js";
import { engineOf } from "../src/storage/engine.js";
import { expectError, expectRateHeaders, expectSuccess } from "./answer-checks.js";
import { callTool, type Endpoint, endpoints, mcpView } from "./endpoints.js";
import { contextLine, exportText } from "./export-text.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { routes, sampleOf, sendSample } from "./sample-requests.js";
import type { Answer, TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
/** One with small budgets, whose clock tests set. */
let strict: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
  // Each of its own size, which tells it from the others.
  const rateLimits = { sync: 3, batchSync: 4, read: 5, search: 6, delete: 7, anonymous: 60 };
  strict = await TestServer.start({ rateLimits });
});
afterAll(() => Promise.all([server[Symbol.asyncDispose](), strict[Symbol.asyncDispose]()]));

const named = routes.map((route) => ({ name: route.name, route }));
/** Every GET route about data; `GET /key` is about the key itself. */
const reading = routes.filter(({ name, meta }) => meta.openapi.method === "GET" && name !== "key");
/** An export without its time, and the hash that the time changes. */
const withoutTime = (text: string) => text.replaceAll(/"(?:exportedAt|sha256)":"[^"]*"/g, "");

/** A client whose user has one context. */
async function owner(contextId = "context"): Promise<TestClient> {
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: contextId } }))).status).toBe(201);
  return client;
}

/** Everything that the user can see, through every GET route and MCP. */
async function view(client: TestClient, contextId = "context"): Promise<unknown[]> {
  const answers = await Promise.all(reading.map((route) => sendSample(client, route, { contextId })));
  return [
    // An event id tells of every write of the user.
    ...answers.map(({ status, body }) => ({
      status,
      body:
        typeof body === "string"
          ? withoutTime(body)
          : { ...body, requestId: undefined, ...(body?.type === "subscribed" && { id: undefined }) },
    })),
    ...(await mcpView(client, contextId)),
  ];
}

const unknownKey = `psk_01ARZ3NDEKTSV4RRFFQ69G5FAV_${"a".repeat(43)}`;
const wrongSecret = (key: string) => key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");

/** Sets of scopes that an endpoint must refuse: all but its own, and where it needs several, all but each one. */
function insufficientScopes({ scopes, needsEveryScope }: Endpoint): Scope[][] {
  const lacking = [...(scopes.length > 0 ? [scopes] : []), ...(needsEveryScope ? scopes.map((scope) => [scope]) : [])];
  return lacking.map((missing) => allScopes.filter((scope) => !missing.includes(scope)));
}

describe.each(endpoints.map((endpoint) => ({ name: endpoint.name, endpoint })))("$name", ({ endpoint }) => {
  it("answers 401 without a valid key", async () => {
    const client = await server.client();
    for (const authorization of [undefined, `Bearer ${unknownKey}`, `Bearer ${wrongSecret(client.key)}`]) {
      const answer = await endpoint.send(client, { headers: { Authorization: authorization } });
      expectError(answer, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    }
  });

  it("answers 403 to a key without its scopes before it reads the request", async () => {
    const client = await owner();
    const before = await view(client);
    const { method, path, hasBody } = endpoint;
    for (const scopes of insufficientScopes(endpoint)) {
      const limited = await server.client({ userId: client.userId, scopes });
      expectError(await endpoint.send(limited, hasBody ? { contextId: "another" } : {}), "forbidden");
      expectError(await limited.send(method, `${path}?limit=1&limit=1`), "forbidden");
      if (hasBody) expectError(await limited.send(method, path, { body: "{", headers: { "Content-Type": "text/plain" } }), "forbidden");
    }
    expect(await view(client)).toEqual(before);
  });

  it("accepts a key with only the scopes that it needs", async () => {
    const { userId } = await owner();
    const { scopes, needsEveryScope } = endpoint;
    const limited = await server.client({ userId, scopes: needsEveryScope ? scopes : [scopes[0] ?? "write"] });
    const answer = await endpoint.send(limited);
    expect(answer.status).toBeLessThan(300);
    endpoint.expectSuccess(answer);
  });

  it("answers 405 to other methods and 404 below its path", async () => {
    const client = await owner();
    const { path, served } = endpoint;
    expectError(await client.get(`${path}/below`), "not_found");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].filter((name) => !served.includes(name))) {
      const answer = await client.send(method, path);
      expectError(answer, "method_not_allowed");
      // The stream of MCP has no HEAD.
      const allowed = served.flatMap((name) => (name === "GET" && endpoint.name !== "mcp" ? ["GET", "HEAD"] : name));
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(allowed.toSorted());
    }
  });

  it("answers 429 past its budget, which the user's keys share", async () => {
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 0, 10, 500);
    const [one, stranger] = [await strict.client(), await strict.client()];
    const other = await strict.client({ userId: one.userId });
    const limit = strict.config.rateLimits[endpoint.budget];
    // Whoever erases everything has no key any more.
    const harmless = endpoint.name === "eraseData" ? { body: { confirm: "somebody else" } } : {};
    for (let remaining = limit - 1; remaining >= 0; remaining--) {
      const answer = await endpoint.send(remaining % 2 === 0 ? one : other, harmless);
      expect(answer.status).not.toBe(429);
      expect(expectRateHeaders(answer, strict.clock.now)).toEqual({ limit, remaining, reset: Date.UTC(2026, 0, 31, 12, 1) / 1000 });
    }
    const refused = await endpoint.send(other, harmless);
    expectError(refused, "rate_limited", strict.clock.now);
    expect(refused.headers.get("retry-after")).toBe("50");
    expect((await endpoint.send(stranger)).status).not.toBe(429);
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 1);
    expect((await endpoint.send(other, harmless)).status).not.toBe(429);
  });
});

describe("a key", () => {
  it("ends with the next request after another process revoked it", async () => {
    const client = await owner();
    expect((await client.get("/context/current")).status).toBe(200);
    await using storage = await engineOf(server.config.databaseUrl).open({ searchTimeoutMs: 1000 });
    await createAccessService({ store: storage.access, clock: Date.now }).revokeKey(client.keyId);
    expectError(await client.get("/context/current"), "unauthorized");
  });

  it("ends when it expires, also after a restart", async () => {
    await using own = await TestServer.start();
    const start = Date.now();
    own.clock.now = start;
    const client = await own.client({ expiresInMs: 60_000 });
    own.clock.now = start + 59_999;
    expect((await client.get("/context/history")).status).toBe(200);
    own.clock.now = start + 60_000;
    expect((await client.get("/context/history")).status).toBe(401);
    await own.restart();
    expect((await client.get("/context/history")).status).toBe(401);
  });
});

describe("another user", () => {
  it("sees on every GET route and MCP what they would see without the data", async () => {
    const stranger = await server.client();
    const empty = await view(stranger, "secret");
    const client = await owner("secret");
    expect(await view(client, "secret")).not.toEqual(empty);
    expect(await view(stranger, "secret")).toEqual(empty);
  });

  it("changes nothing through any route, message or MCP tool", async () => {
    const [client, stranger] = [await owner("secret"), await server.client()];
    const before = await view(client, "secret");
    for (const route of routes)
      await sendSample(stranger, route, { contextId: "secret", ...(route.name === "eraseData" && { body: { confirm: client.userId } }) });
    await callTool(stranger, "delete_context", { contextId: "secret" });
    await stranger.sync(updateMessage("secret", { title: "Mine now" }));
    await stranger.sync(deleteMessage("secret", { timestamp: new Date().toISOString() }));
    expect(await view(client, "secret")).toEqual(before);
  });

  const taking = named.filter(({ route }) => route.hasBody && !route.meta.bodyType);
  it.each(taking)("cannot name the owner as userId in $name", async ({ route }) => {
    const [client, stranger] = [await owner("secret"), await server.client()];
    const before = await view(client, "secret");
    const body = sampleOf(route, "planted").body as Record<string, unknown>;
    const answer = await sendSample(stranger, route, { body: { ...body, userId: client.userId } });
    // Messages have a userId; elsewhere it is an unknown field.
    if (route.meta.openapi.tags.includes("Sync")) expectError(answer, "forbidden");
    else expectSuccess(answer, route);
    expect(await view(client, "secret")).toEqual(before);
    expect((await client.get("/context/planted")).status).toBe(404);
  });
});

it("imports for the user of the key, whomever the export and its lines name", async () => {
  const [client, stranger] = [await owner("secret"), await server.client()];
  const before = await view(client, "secret");
  const { userId } = client;
  const lines = [
    { kind: "user", userId, createdAt: "2026-01-31T12:00:00.000Z" },
    contextLine("planted", { userId }),
    contextLine("secret", { userId }),
  ];
  const { status, body } = await stranger.send("POST", "/data/import", {
    body: exportText(lines, { userId }),
    headers: { "Content-Type": "application/x-ndjson" },
  });
  expect([status, body]).toEqual([200, expect.objectContaining({ created: 2, failed: 1 })]);
  expect(await view(client, "secret")).toEqual(before);
  expect((await client.get("/context/planted")).status).toBe(404);
  expect((await stranger.get("/context/planted")).status).toBe(200);
});

// What else such a key sees and can do, twins.test.ts compares.
const refusing = named.filter(({ route }) => route.meta.refusesBoundKeys);
it.each(refusing)("$name refuses a key with a maximum level before it reads the request", async ({ route }) => {
  const client = await owner();
  const before = await view(client);
  for (const maxPrivacyLevel of ["public", "private", "filtered"] as const) {
    const bounded = await server.client({ userId: client.userId, maxPrivacyLevel });
    expectError(await sendSample(bounded, route), "forbidden");
    const { path } = sampleOf(route, "context");
    expectError(await bounded.send(route.meta.openapi.method, path, route.hasBody ? { body: "{" } : {}), "forbidden");
  }
  expect(await view(client)).toEqual(before);
});

describe("requests without a valid key", () => {
  const headers = { Authorization: `Bearer ${unknownKey}` };
  const guess = (client: TestClient, index: number): Promise<Answer> =>
    (endpoints[index % endpoints.length] as Endpoint).send(client, { headers });

  it("are limited to 60 a minute over all endpoints, while a valid key still works", async () => {
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 2, 30);
    const client = await strict.client();
    for (let count = 1; count <= 60; count++) {
      const answer = await guess(client, count);
      expect(answer.status).toBe(401);
      expect(expectRateHeaders(answer, strict.clock.now)).toMatchObject({ limit: 60, remaining: 60 - count });
    }
    const refused = await Promise.all(endpoints.map((_, count) => guess(client, count)));
    for (const answer of refused) {
      expectError(answer, "rate_limited", strict.clock.now);
      expect(answer.headers.get("retry-after")).toBe("30");
    }
    expect((await client.get("/context/history")).status).toBe(200);
    strict.clock.now += 30_000;
    expect((await guess(client, 0)).status).toBe(401);
  });

  it("are counted by the address of the socket, or the one that a trusted proxy names", async () => {
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 4);
    await using proxied = await TestServer.start({ ...strict.config, trustProxy: 1, databaseUrl: server.config.databaseUrl });
    proxied.clock.now = strict.clock.now;
    const remaining = async (own: TestServer, forwarded: string) => {
      const client = await own.client();
      const answer = await client.send("GET", "/context/current", { headers: { ...headers, "X-Forwarded-For": forwarded } });
      return answer.headers.get("x-ratelimit-remaining");
    };
    expect([await remaining(strict, "198.51.100.1"), await remaining(strict, "198.51.100.2")]).toEqual(["59", "58"]);
    expect([await remaining(proxied, "198.51.100.1"), await remaining(proxied, "198.51.100.2")]).toEqual(["59", "59"]);
    // Only the last address was written by the proxy.
    expect(await remaining(proxied, "203.0.113.9, 198.51.100.1")).toBe("58");
    // Who has one address of IPv6 has the other 2^64 of its network.
    const ofIpv6 = [];
    for (const address of ["2001:db8::1", "2001:0DB8:0:0:ffff::2", "2001:db8:0:1::1"]) ofIpv6.push(await remaining(proxied, address));
    expect(ofIpv6).toEqual(["59", "58", "59"]);
  });

  it("are counted once over all processes that share a database", async () => {
    const rateLimits = { ...server.config.rateLimits, anonymous: 1 };
    await using one = await TestServer.start({ rateLimits });
    await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl, rateLimits });
    one.clock.now = two.clock.now = Date.UTC(2026, 0, 31, 12);
    const status = async ({ baseUrl }: TestServer) => (await fetch(`${baseUrl}/context/current`)).status;
    // SQLite serves one process, so a second one counts for itself.
    expect([await status(one), await status(two)]).toEqual(testEngine() === "sqlite" ? [401, 401] : [401, 429]);
  });
});
