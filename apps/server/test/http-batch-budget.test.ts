import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

it("takes a batch sent to /context/sync from the batch-sync budget as well", async () => {
  const plenty = 1_000_000;
  await using server = await TestServer.start({
    rateLimits: { sync: 5, batchSync: 2, read: plenty, search: plenty, delete: plenty, anonymous: plenty },
  });
  server.clock.now = Date.UTC(2026, 0, 31, 12);
  const client = await server.client();
  const sendBatch = () => client.sync({ id: "b", type: "batch", messages: [createMessage()] });
  const standing = async () => (await client.get("/key")).body.limits;

  const first = await sendBatch();
  expect([first.status, first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual([207, "2", "1"]);
  expect((await client.batch([createMessage()])).status).toBe(207);
  const refused = await sendBatch();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
  expect((await client.get("/context/history")).body.total).toBe(2);
  // Single messages still pass: two of their budget went to the batches.
  const single = await client.sync(createMessage());
  expect([single.status, single.headers.get("x-ratelimit-remaining")]).toEqual([201, "2"]);
  expect(await standing()).toMatchObject({ sync: { remaining: 2 }, "batch-sync": { remaining: 0 } });
});
