import { privacyLevels } from "@periscope/privacy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccessService } from "../src/access/access.service.js";
import { allScopes, type Scope } from "../src/access/access.store.js";
import { engineOf } from "../src/storage/engine.js";
import { expectError, expectRateHeaders, expectSuccess } from "./answer-checks.js";
import { callTool, type Endpoint, endpoints, mcpView } from "./endpoints.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { routes, routeTable, sampleOf, sendSample } from "./sample-requests.js";
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
/** Every GET route about data; `GET /key` is about the key itself, and an export names its time. */
const reading = routes.filter(({ name, meta }) => meta.openapi.method === "GET" && !["key", "exportData"].includes(name));
const [current] = endpoints.filter(({ name }) => name === "current") as [Endpoint];

/** A client whose user has one context. */
async function owner(contextId = "context"): Promise<TestClient> {
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: contextId } }))).status).toBe(201);
  return client;
}

/** Everything that the user can see, through every GET route and MCP. */
async function view(client: TestClient, contextId = "context", over = reading): Promise<unknown[]> {
  const answers = await Promise.all(over.map((route) => sendSample(client, route, { contextId })));
  return [
    ...answers.map(({ status, body }) => ({ status, body: { ...body, requestId: undefined } })),
    ...(await mcpView(client, contextId)),
  ];
}

/** Authorization headers that must be refused, made from a valid key; undefined sends none. */
const wrongAuthorizations: Record<string, (key: string) => string | undefined> = {
  "no header": () => undefined,
  "an empty header": () => "",
  "no scheme": (key) => key,
  "no key": () => "Bearer",
  "a blank key": () => "Bearer ",
  "basic authentication": (key) => `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
  "another scheme": (key) => `Token ${key}`,
  "two keys": (key) => `Bearer ${key} ${key}`,
  "a quoted key": (key) => `Bearer "${key}"`,
  "text that is no key": () => "Bearer opensesame",
  "an unknown key": () => `Bearer psk_01ARZ3NDEKTSV4RRFFQ69G5FAV_${"a".repeat(43)}`,
  "a wrong secret": (key) => `Bearer ${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`,
  "a shortened key": (key) => `Bearer ${key.slice(0, -1)}`,
  "a lengthened key": (key) => `Bearer ${key}0`,
  "a key in upper case": (key) => `Bearer ${key.toUpperCase()}`,
};

/** Sets of scopes that an endpoint must refuse: all but its own, and where it needs several, all but each one. */
function insufficientScopes({ scopes, needsEveryScope }: Endpoint): Scope[][] {
  const lacking = [...(scopes.length > 0 ? [scopes] : []), ...(needsEveryScope ? scopes.map((scope) => [scope]) : [])];
  return lacking.map((missing) => allScopes.filter((scope) => !missing.includes(scope)));
}

it("covers every operation of the router", () => {
  expect(routes.length).toBeGreaterThanOrEqual(10);
  for (const route of routes) {
    const [path = ""] = sampleOf(route, "context").path.split("?");
    expect(routeTable.match(path)?.byMethod.get(route.meta.openapi.method)?.name).toBe(route.name);
  }
});

describe.each(endpoints.map((endpoint) => ({ name: endpoint.name, endpoint })))("$name", ({ endpoint }) => {
  it("answers 401 without a valid key", async () => {
    const client = await server.client();
    // How a header is read does not depend on the endpoint.
    const wrong = Object.entries(wrongAuthorizations).slice(["current", "mcp"].includes(endpoint.name) ? 0 : -3);
    for (const [what, header] of wrong) {
      const answer = await endpoint.send(client, { headers: { Authorization: header(client.key) } });
      expect([what, answer.status]).toEqual([what, 401]);
      expectError(answer, "unauthorized");
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    }
  });

  it("answers 403 to a key without its scopes, before it reads the request, and changes nothing", async () => {
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
      const allowed = served.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : name));
      expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(allowed.toSorted());
    }
  });

  it("answers 429 past its budget, which the user's keys share", async () => {
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 0, 10, 500);
    const [one, stranger] = [await strict.client(), await strict.client()];
    const other = await strict.client({ userId: one.userId });
    const limit = strict.config.rateLimits[endpoint.budget];
    for (let remaining = limit - 1; remaining >= 0; remaining--) {
      const answer = await endpoint.send(remaining % 2 === 0 ? one : other);
      expect(answer.status).not.toBe(429);
      expect(expectRateHeaders(answer, strict.clock.now)).toEqual({ limit, remaining, reset: Date.UTC(2026, 0, 31, 12, 1) / 1000 });
    }
    const refused = await endpoint.send(other);
    expectError(refused, "rate_limited", strict.clock.now);
    expect(refused.headers.get("retry-after")).toBe("50");
    expect((await endpoint.send(stranger)).status).not.toBe(429);
    strict.clock.now = Date.UTC(2026, 0, 31, 12, 1);
    expect((await endpoint.send(other)).status).not.toBe(429);
  });
});

describe("a key", () => {
  it("is accepted with the scheme in any case", async () => {
    const client = await owner();
    for (const scheme of ["bearer", "BEARER", "bEaReR"])
      expect((await current.send(client, { headers: { Authorization: `${scheme} ${client.key}` } })).status).toBe(200);
  });

  it("ends with the next request after another process revoked it", async () => {
    const client = await owner();
    expect((await current.send(client)).status).toBe(200);
    await using storage = await engineOf(server.config.databaseUrl).open({ searchTimeoutMs: 1000 });
    await createAccessService({ store: storage.access, clock: Date.now }).revokeKey(client.keyId);
    expectError(await current.send(client), "unauthorized");
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
    for (const route of routes) await sendSample(stranger, route, { contextId: "secret" });
    await callTool(stranger, "delete_context", { contextId: "secret" });
    await stranger.sync(updateMessage("secret", { title: "Mine now" }));
    await stranger.sync(deleteMessage("secret", { timestamp: new Date().toISOString() }));
    expect(await view(client, "secret")).toEqual(before);
  });

  it.each(named.filter(({ route }) => route.hasBody && !route.meta.bodyType))(
    "cannot name the owner as userId in $name",
    async ({ route }) => {
      const [client, stranger] = [await owner("secret"), await server.client()];
      const before = await view(client, "secret");
      const body = sampleOf(route, "planted").body as Record<string, unknown>;
      const answer = await sendSample(stranger, route, { body: { ...body, userId: client.userId } });
      // Messages have a userId; elsewhere it is an unknown field.
      if (route.meta.openapi.tags.includes("Sync")) expectError(answer, "forbidden");
      else expectSuccess(answer, route);
      expect(await view(client, "secret")).toEqual(before);
      expect((await client.get("/context/planted")).status).toBe(404);
    },
  );
});

describe("a key with a maximum privacy level", () => {
  it.each([1, 2, 3])("sees on every GET route what it would see if stricter contexts did not exist: %i", async (count) => {
    const [full, bare] = [await server.client(), await server.client()];
    for (const [index, privacyLevel] of privacyLevels.entries()) {
      const message = createMessage({ context: { id: privacyLevel, privacyLevel, capturedAt: `2026-02-0${index + 1}T12:00:00Z` } });
      for (const client of index < count ? [full, bare] : [full]) await client.sync(message);
    }
    const bounded = await server.client({ userId: full.userId, maxPrivacyLevel: privacyLevels[count - 1]! });
    const open = reading.filter(({ meta }) => !meta.refusesBoundKeys);
    const anonymous = (answers: unknown) => JSON.parse(JSON.stringify(answers).replaceAll(full.userId, "U").replaceAll(bare.userId, "U"));
    for (const contextId of privacyLevels)
      expect(anonymous(await view(bounded, contextId, open))).toEqual(anonymous(await view(bare, contextId, open)));
    expect(await view(full)).not.toEqual(await view(bounded));
    expect((await bounded.get("/context/history")).body.total).toBe(count);
  });

  it.each(named.filter(({ route }) => route.meta.refusesBoundKeys))("gets 403 from $name before the request is read", async ({ route }) => {
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
});

describe("requests without a valid key", () => {
  const unknownKey = { headers: { Authorization: wrongAuthorizations["an unknown key"]?.("") } };
  const guess = (client: TestClient, index: number): Promise<Answer> =>
    (endpoints[index % endpoints.length] as Endpoint).send(client, unknownKey);

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
      const headers = { ...unknownKey.headers, "X-Forwarded-For": forwarded } as Record<string, string>;
      return (await (await own.client()).send("GET", "/context/current", { headers })).headers.get("x-ratelimit-remaining");
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
