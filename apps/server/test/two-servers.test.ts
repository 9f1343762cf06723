import { expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

it("a message that reaches two servers on one database at the same moment takes effect once", async () => {
  await using one = await TestServer.start();
  await using other = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  const elsewhere = client.at(() => other.baseUrl);
  const messages = Array.from({ length: 20 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all(messages.map((message) => Promise.all([client.sync(message), elsewhere.sync(message)])));
  for (const pair of answers) {
    expect(pair.map(({ status }) => status)).toEqual([201, 201]);
    expect(pair.filter(({ body }) => body.duplicate === true)).toHaveLength(1);
    expect(new Set(pair.map(({ body }) => body.contextId)).size).toBe(1);
  }
  for (const reader of [client, elsewhere]) expect((await reader.get("/context/history")).body.total).toBe(messages.length);
});
