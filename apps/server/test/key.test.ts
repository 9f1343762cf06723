import { expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

const start = Date.UTC(2026, 0, 31, 12, 0, 10);

it("describes the key that asks", async () => {
  await using server = await TestServer.start();
  server.clock.now = start;
  const client = await server.client({ name: "Laptop", scopes: ["write", "read"], maxPrivacyLevel: "filtered", expiresInMs: 86_400_000 });
  const { userId, keyId } = client;
  const { status, body } = await client.get("/key");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    userId,
    keyId,
    name: "Laptop",
    scopes: ["read", "write"],
    maxPrivacyLevel: "filtered",
    createdAt: "2026-01-31T12:00:10.000Z",
    expiresAt: "2026-02-01T12:00:10.000Z",
    server: { version: manifest.version, live: true },
  });
  expect(JSON.stringify(body)).not.toContain(client.key.slice(-20));
});

it("takes one read and tells the other budgets without taking from them", async () => {
  const rateLimits = { sync: 10, batchSync: 20, read: 30, search: 40, delete: 50, anonymous: 60 };
  await using server = await TestServer.start({ rateLimits });
  server.clock.now = start;
  const client = await server.client();
  const sibling = await server.client({ userId: client.userId });
  await sibling.sync(createMessage());
  await sibling.get("/context/search?query=tea");
  await client.get("/key");
  const { headers, body } = await client.get("/key");
  const reset = Date.UTC(2026, 0, 31, 12, 1) / 1000;
  expect(body.limits).toEqual({
    sync: { limit: 10, remaining: 9, reset },
    "batch-sync": { limit: 20, remaining: 20, reset },
    read: { limit: 30, remaining: 28, reset },
    search: { limit: 40, remaining: 39, reset },
    delete: { limit: 50, remaining: 50, reset },
  });
  expect(headers.get("x-ratelimit-remaining")).toBe("28");
});
