import type { ErrorCode } from "@periscope/schemas";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createAccessService } from "../src/access/access.service.js";
import { allScopes } from "../src/access/scope.js";
import type { Route } from "../src/http/route-table.js";
import { openStorage } from "../src/storage/open-storage.js";
import { expectError, expectRateHeaders, expectSuccess } from "./answer-checks.js";
import { callTool, type Endpoint, endpoints, mcpView } from "./endpoints.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { routes, routeTable, sampleOf, sendSample } from "./sample-requests.js";
import type { Answer, TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";
import { wrongAuthorizations } from "./wrong-authorizations.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

const named = routes.map((route) => ({ name: route.name, route }));
/** Without `GET /key`, whose answer is about the key that asks. */
const reading = routes.filter(({ name, meta }) => meta.openapi.method === "GET" && name !== "key");

/** A client whose user has one context. */
async function owner(contextId = "context"): Promise<TestClient> {
  const client = await server.client();
  expect((await client.sync(createMessage({ context: { id: contextId } }))).status).toBe(201);
  return client;
}

/** Sets of scopes that must be refused: all but those of the endpoint, and where it needs all, all but each one. */
const insufficient = ({ scopes, needsEveryScope }: Endpoint) =>
  [...(scopes.length > 0 ? [scopes] : []), ...(needsEveryScope ? scopes.map((scope) => [scope]) : [])].map((lacking) =>
    allScopes.filter((scope) => !lacking.includes(scope)),
  );

const withoutIds = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: undefined } });

it("covers every operation of the router, and asks each what it serves", () => {
  expect(routes.length).toBeGreaterThanOrEqual(7);
  for (const route of routes) {
    const [path = ""] = sampleOf(route, "context").path.split("?");
    expect(routeTable.match(path)?.byMethod.get(route.meta.openapi.method)?.name).toBe(route.name);
  }
});

describe.each(endpoints.map((endpoint) => ({ name: endpoint.name, endpoint })))("$name", ({ endpoint }) => {
  it("answers its sample request with a listed status and body", async () => {
    const answer = await endpoint.send(await owner());
    expect(answer.status).toBeLessThan(300);
    endpoint.expectSuccess(answer);
  });

  it.each(wrongAuthorizations)("is 401 for %s", async (_what, header) => {
    const client = await server.client();
    const answer = await endpoint.send(client, { headers: { Authorization: header(client.key) } });
    expectError(answer, "unauthorized");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
  });

  it.each(["bearer", "BEARER", "bEaReR"])("takes the scheme as %s", async (scheme) => {
    const client = await owner();
    const answer = await endpoint.send(client, { headers: { Authorization: `${scheme} ${client.key}` } });
    expect(answer.status).toBeLessThan(300);
    endpoint.expectSuccess(answer);
  });

  it("is 401 from the request after the key was revoked", async () => {
    const client = await owner();
    expect((await endpoint.send(client)).status).toBeLessThan(300);
    await server.access.revokeKey(client.keyId);
    expectError(await endpoint.send(client), "unauthorized");
  });

  it("is 401 after another process revoked the key: from the next request, or soon where processes share a server", async () => {
    const client = await owner();
    expect((await endpoint.send(client)).status).toBeLessThan(300);
    await using storage = await openStorage({ databaseUrl: server.config.databaseUrl, searchTimeoutMs: 1000 });
    const never = (): never => expect.unreachable("nothing is made here");
    const { clock, revision } = { clock: Date.now, revision: () => storage.revision() };
    await createAccessService({ store: storage.access, revision, clock, newUlid: never, randomBytes: never }).revokeKey(client.keyId);
    const isRefused = async () => expectError(await endpoint.send(client), "unauthorized");
    await (testEngine() === "sqlite" ? isRefused() : vi.waitFor(isRefused, 60_000));
  });

  it("is 401 from the request after the user was deleted", async () => {
    const client = await owner();
    expect((await endpoint.send(client)).status).toBeLessThan(300);
    await server.access.deleteUser(client.userId);
    expectError(await endpoint.send(client), "unauthorized");
  });

  it("is 401 once the key has expired, and not before", async () => {
    await using own = await TestServer.start();
    const start = Date.now();
    own.clock.now = start;
    const client = await own.client({ expiresInMs: 60_000 });
    await client.sync(createMessage({ context: { id: "context" } }));
    own.clock.now = start + 59_999;
    expect((await endpoint.send(client)).status).toBeLessThan(300);
    own.clock.now = start + 60_000;
    const answer = await endpoint.send(client);
    expect([answer.status, answer.body.error]).toEqual([401, "unauthorized"]);
    await own.restart();
    expect((await endpoint.send(client)).status).toBe(401);
  });

  it("is 403 for a key with every scope but those it needs, and changes nothing", async () => {
    const client = await owner();
    const before = await view(client);
    for (const scopes of insufficient(endpoint)) {
      expect(scopes).not.toEqual([]);
      const limited = await server.client({ userId: client.userId, scopes });
      expectError(await endpoint.send(limited, endpoint.hasBody ? { contextId: "another" } : {}), "forbidden");
    }
    expect(await view(client)).toEqual(before);
  });

  it("is 403 for such a key before anything that it sends is read", async () => {
    for (const scopes of insufficient(endpoint)) {
      const limited = await server.client({ scopes });
      const { method, path } = endpoint;
      expectError(await limited.send(method, `${path}?limit=1&limit=1`), "forbidden");
      if (!endpoint.hasBody) continue;
      expectError(await limited.send(method, path, { body: "{", headers: { "Content-Type": "application/json" } }), "forbidden");
      expectError(await limited.send(method, path, { body: "hello", headers: { "Content-Type": "text/plain" } }), "forbidden");
    }
  });

  it("takes a key with nothing but the scopes that it needs", async () => {
    const client = await owner();
    const { scopes, needsEveryScope } = endpoint;
    const limited = await server.client({ userId: client.userId, scopes: needsEveryScope ? scopes : [scopes[0] ?? "write"] });
    const answer = await endpoint.send(limited);
    expect(answer.status).toBeLessThan(300);
    endpoint.expectSuccess(answer);
  });

  it("refuses with the same headers and body a path below it and every method that it does not have", async () => {
    const client = await owner();
    const { path, served } = endpoint;
    expectError(await client.get(`${path}/below`), "not_found");
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"].filter((name) => !served.includes(name))) {
      const answer = await client.send(method, path);
      expectError(answer, "method_not_allowed");
      expect(
        answer.headers
          .get("allow")
          ?.split(", ")
          .filter((name) => name !== "HEAD"),
      ).toEqual(served);
    }
  });

  it("is 429 past its budget, which all keys of the user share and other users do not", async () => {
    const { rateLimits } = server.config;
    const { budget } = endpoint;
    await using own = await TestServer.start({ rateLimits: { ...rateLimits, [budget]: 3 } });
    own.clock.now = Date.UTC(2026, 0, 31, 12, 0, 10, 500);
    const [one, stranger] = [await own.client(), await own.client()];
    const other = await own.client({ userId: one.userId });
    for (const [client, left] of [
      [one, 2],
      [other, 1],
      [one, 0],
    ] as const) {
      const answer = await endpoint.send(client);
      expect(answer.status).not.toBe(429);
      expect(expectRateHeaders(answer, own.clock.now)).toEqual({ limit: 3, remaining: left, reset: Date.UTC(2026, 0, 31, 12, 1) / 1000 });
    }
    const refused = await endpoint.send(other);
    expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "50"]);
    expect(expectRateHeaders(refused, own.clock.now).remaining).toBe(0);
    expect((await endpoint.send(stranger)).status).not.toBe(429);
    own.clock.now = Date.UTC(2026, 0, 31, 12, 1);
    expect((await endpoint.send(other)).status).not.toBe(429);
  });
});

/** Everything that the user can see, over every GET route and MCP. */
async function view(client: TestClient, contextId = "context", over: readonly Route[] = reading): Promise<unknown[]> {
  const answers = await Promise.all(over.map((route) => sendSample(client, route, { contextId })));
  return [...answers.map(withoutIds), ...(await mcpView(client, contextId))];
}

describe("another tenant", () => {
  it("gets from every GET route what it would get if the data were not there", async () => {
    const stranger = await server.client();
    const empty = await view(stranger, "secret");
    const client = await owner("secret");
    expect(await view(client, "secret")).not.toEqual(empty);
    expect(await view(stranger, "secret")).toEqual(empty);
  });

  it("changes nothing of the owner's through any route", async () => {
    const client = await owner("secret");
    const stranger = await server.client();
    const before = await view(client, "secret");
    for (const route of routes) await sendSample(stranger, route, { contextId: "secret" });
    await callTool(stranger, "delete_context", { contextId: "secret" });
    for (const message of [
      updateMessage("secret", { title: "Mine now" }),
      deleteMessage("secret", { timestamp: new Date().toISOString() }),
    ])
      await stranger.sync(message);
    expect(await view(client, "secret")).toEqual(before);
  });

  it("is told 403 by delete and 404 by every other route that names a context", async () => {
    const client = await owner("secret");
    const stranger = await server.client();
    const naming = routes.filter(({ pathParameter }) => pathParameter !== undefined);
    expect(naming.length).toBeGreaterThanOrEqual(2);
    for (const route of naming) {
      const code: ErrorCode = route.meta.openapi.method === "DELETE" ? "forbidden" : "not_found";
      expectError(await sendSample(stranger, route, { contextId: "secret" }), code);
    }
    expect((await client.get("/context/secret")).status).toBe(200);
  });

  it.each(named.filter(({ route }) => route.hasBody))("cannot name the owner as userId in $name", async ({ route }) => {
    const client = await owner("secret");
    const stranger = await server.client();
    const before = await view(client, "secret");
    const body = sampleOf(route, "planted").body as Record<string, unknown>;
    const answer = await sendSample(stranger, route, { body: { ...body, userId: client.userId } });
    // The contract of sync names the field; elsewhere it is one that nobody knows.
    if (route.meta.openapi.tags.includes("Sync")) expectError(answer, "forbidden");
    else expectSuccess(answer, route);
    expect(await view(client, "secret")).toEqual(before);
    expect((await client.get("/context/planted")).status).toBe(404);
  });
});

it("shows a key of a bounded privacy level, on every GET route, what it would see if the rest did not exist", async () => {
  const [full, bare] = [await server.client(), await server.client()];
  const visible = createMessage({ context: { id: "open", privacyLevel: "public" } });
  await full.sync(visible);
  await bare.sync(visible);
  for (const [index, privacyLevel] of ["private", "filtered", "restricted"].entries())
    await full.sync(createMessage({ context: { id: `shut-${index}`, privacyLevel, capturedAt: "2026-02-01T12:00:00Z" } }));
  const bounded = await server.client({ userId: full.userId, maxPrivacyLevel: "public" });
  const open = reading.filter(({ meta }) => !meta.refusesBoundKeys);
  const anonymous = (answers: unknown) => JSON.parse(JSON.stringify(answers).replaceAll(full.userId, "U").replaceAll(bare.userId, "U"));
  for (const contextId of ["open", "shut-0", "shut-1", "shut-2"])
    expect(anonymous(await view(bounded, contextId, open))).toEqual(anonymous(await view(bare, contextId, open)));
  expect(await view(full, "shut-0")).not.toEqual(await view(bounded, "shut-0"));
});

it("a key that may not read a user's rules may not replace them either", async () => {
  const client = await server.client();
  const rules = (await client.putRules({ denyList: ["Ada Lovelace"] })).body;
  const writer = await server.client({ userId: client.userId, scopes: ["write", "delete"] });
  expectError(await writer.get("/privacy/rules"), "forbidden");
  const answer = await writer.putRules({});
  expectError(answer, "forbidden");
  expect(answer.body.message).toBe("This key lacks the scope read. Use a key that has it.");
  expect((await client.get("/privacy/rules")).body).toEqual(rules);
});

it.each(named.filter(({ route }) => route.meta.refusesBoundKeys))(
  "refuses in $name every key that is bound to a privacy level, before anything that it sends is read",
  async ({ route }) => {
    const client = await owner();
    const before = await view(client);
    for (const maxPrivacyLevel of ["public", "private", "filtered"] as const) {
      const bounded = await server.client({ userId: client.userId, maxPrivacyLevel });
      const { path } = sampleOf(route, "context");
      expectError(await sendSample(bounded, route), "forbidden");
      expectError(await bounded.send(route.meta.openapi.method, path, route.hasBody ? { body: "{" } : {}), "forbidden");
    }
    expect(await view(client)).toEqual(before);
  },
);

describe("the budget of an address without a valid key", () => {
  const unknownKey = { headers: { Authorization: `Bearer psk_01ARZ3NDEKTSV4RRFFQ69G5FAV_${"a".repeat(43)}` } };
  const tight = () => TestServer.start({ rateLimits: { ...server.config.rateLimits, anonymous: 60 } });
  const guess = (client: TestClient, index: number) => (endpoints[index % endpoints.length] as Endpoint).send(client, unknownKey);

  it("is 60 a minute over all endpoints, then 429, while a valid key still works", async () => {
    await using own = await tight();
    own.clock.now = Date.UTC(2026, 0, 31, 12, 0, 30);
    const client = await own.client();
    for (let count = 1; count <= 60; count++) {
      const answer = await guess(client, count);
      expect(answer.status).toBe(401);
      expect(expectRateHeaders(answer, own.clock.now)).toMatchObject({ limit: 60, remaining: 60 - count });
    }
    for (let count = 0; count < endpoints.length; count++) {
      const answer = await guess(client, count);
      expect([answer.status, answer.body.error, answer.headers.get("retry-after")]).toEqual([429, "rate_limited", "30"]);
    }
    expect((await client.get("/context/history")).status).toBe(200);
    own.clock.now += 30_000;
    expect((await guess(client, 0)).status).toBe(401);
  });

  it("is one per client address: that of the socket, or of a trusted proxy", async () => {
    await using direct = await tight();
    await using proxied = await TestServer.start({ trustProxy: 1, rateLimits: { ...server.config.rateLimits, anonymous: 60 } });
    const remaining = async (own: TestServer, forwarded: string) => {
      const client = await own.client();
      const answer = await client.send("GET", "/context/current", { headers: { ...unknownKey.headers, "X-Forwarded-For": forwarded } });
      return answer.headers.get("x-ratelimit-remaining");
    };
    expect([await remaining(direct, "198.51.100.1"), await remaining(direct, "198.51.100.2")]).toEqual(["59", "58"]);
    expect([await remaining(proxied, "198.51.100.1"), await remaining(proxied, "198.51.100.2")]).toEqual(["59", "59"]);
    // Only the last address was written by the proxy.
    expect(await remaining(proxied, "203.0.113.9, 198.51.100.1")).toBe("58");
  });
});
