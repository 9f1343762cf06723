import { expect, it } from "vitest";
import { expectError } from "../../test/answer-checks.js";
import { createMessage } from "../../test/messages.js";
import { TestServer } from "../../test/test-server.js";

it("tells another user's context from one that nobody has", async () => {
  await using server = await TestServer.start();
  const [owner, other] = [await server.client(), await server.client()];
  await owner.sync(createMessage({ context: { id: "theirs" } }));
  expectError(await other.delete("/context/theirs"), "forbidden");
  expectError(await other.delete("/context/nobodys"), "not_found");
  expect((await owner.get("/context/theirs")).status).toBe(200);
});

it("is final for messages of the same time, also when the device's clock is ahead", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  server.clock.now = Date.UTC(2026, 5, 1, 12);
  const written = (timestamp: string) => createMessage({ timestamp, context: { id: "c", capturedAt: "2026-06-01T12:00:00.000Z" } });
  const ahead = "2026-06-01T13:00:00.000Z";
  await client.sync(written(ahead));
  expect((await client.delete("/context/c")).status).toBe(204);
  expect((await client.sync(written(ahead))).status).toBe(201);
  expect((await client.get("/context/c")).status).toBe(404);
  await client.sync(written("2026-06-01T13:00:00.001Z"));
  expect((await client.get("/context/c")).status).toBe(200);
});
