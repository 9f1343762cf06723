import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

it("tells the server's time when a message is more than 24 hours ahead of it", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  server.clock.now = Date.UTC(2026, 0, 29, 12);
  const { status, body } = await client.sync(createMessage());
  const problem = "is more than 24 hours ahead of the server's clock, which says 2026-01-29T12:00:00.000Z. Check both clocks.";
  expect([status, body.message]).toEqual([400, `timestamp: ${problem}`]);
  expect((await client.batch([createMessage()])).body.results[0].error.message).toBe(`timestamp: ${problem}`);
});
