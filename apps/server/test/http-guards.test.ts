import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allScopes, type Scope } from "../src/access/access.store.js";
import { expectError, expectRateHeaders } from "./answer-checks.js";
import { type Endpoint, endpoints } from "./endpoints.js";
import { routes, sampleOf, sendSample } from "./sample-requests.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";
import { owner, view } from "./user-view.js";

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
    const client = await owner(server);
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
    const { userId } = await owner(server);
    const { scopes, needsEveryScope } = endpoint;
    const limited = await server.client({ userId, scopes: needsEveryScope ? scopes : [scopes[0] ?? "write"] });
    const answer = await endpoint.send(limited);
    expect(answer.status).toBeLessThan(300);
    endpoint.expectSuccess(answer);
  });

  it("answers 405 to other methods and 404 below its path", async () => {
    const client = await owner(server);
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

// What else such a key sees and can do, twins.test.ts compares.
const refusing = routes.filter(({ meta }) => meta.refusesBoundKeys).map((route) => ({ name: route.name, route }));
it.each(refusing)("$name refuses a key with a maximum level before it reads the request", async ({ route }) => {
  const client = await owner(server);
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
});
