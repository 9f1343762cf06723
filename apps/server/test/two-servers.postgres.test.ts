import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

it("stores a message once when two servers receive it at the same time", async () => {
  await using one = await TestServer.start();
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  const elsewhere = client.at(() => two.baseUrl);
  const messages = Array.from({ length: 60 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all(messages.flatMap((message) => [client.syncUntilTaken(message), elsewhere.syncUntilTaken(message)]));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(answers.filter(({ body }) => body.duplicate === true)).toHaveLength(messages.length);
  expect(new Set(answers.map(({ body }) => body.contextId)).size).toBe(messages.length);
  expect((await elsewhere.get("/context/history?limit=1")).body.total).toBe(messages.length);
});
