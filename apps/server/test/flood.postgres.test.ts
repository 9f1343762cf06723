import { expect, it } from "vitest";
import { newSecret } from "../src/access/authenticator.js";
import { rawRequest } from "./raw-request.js";
import { TestServer } from "./test-server.js";

const plenty = { sync: 1_000_000, batchSync: 1_000_000, search: 1_000_000, delete: 1_000_000 };
const noon = Date.UTC(2026, 0, 31, 12);

it("answers floods of refused requests without a database transaction each", async () => {
  await using server = await TestServer.start({ rateLimits: { ...plenty, read: 5, anonymous: 5 } });
  server.clock.now = noon;
  const [client, neighbour] = [await server.client(), await server.client()];
  const unknown = newSecret("psk", "01HZX3Y9K8M7N6P5Q4R3S2T1V0");
  const requests = 200;
  const flood = async (path: string, status: number, key?: () => string) => {
    const statuses: number[] = [];
    const ask = async () => {
      const headers = key ? { Authorization: `Bearer ${key()}` } : {};
      statuses.push((await rawRequest(server.baseUrl, { path, headers })).status);
    };
    // What is refused waits for a quarter of a second.
    for (let sent = 0; sent < requests; sent += 40) await Promise.all(Array.from({ length: 40 }, ask));
    // What is left of a budget is answered first.
    expect(new Set(statuses.slice(40))).toEqual(new Set([status]));
  };
  const keys = [() => unknown, () => newSecret("psk", client.keyId), () => "psk_malformed", undefined, () => client.key];
  for (const key of keys) await flood("/api/v1/context/history", 429, key);
  await flood("/readyz", 200);
  // Another user's key works from the same address.
  expect((await neighbour.get("/context/history")).status).toBe(200);

  // Connections report what they did at their end.
  await server.close();
  const committed = "SELECT xact_commit::float8 AS count FROM pg_stat_database WHERE datname = current_database()";
  // Less than one kind of refusal would bring by itself.
  expect((await server.rows<{ count: number }>(committed))[0]?.count).toBeLessThan(requests);
});

it("serves a revoked key at no time, also while its user is past the budget", async () => {
  await using server = await TestServer.start({ rateLimits: { ...plenty, read: 1, anonymous: 1_000_000 } });
  server.clock.now = noon;
  const client = await server.client();
  const status = async () => (await client.get("/context/history")).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  await server.access.revokeKey(client.keyId);
  // For the few seconds in which the key is not read again.
  expect(await status()).toBe(429);
  server.clock.now += 5_000;
  expect([await status(), await status()]).toEqual([401, 401]);
});
