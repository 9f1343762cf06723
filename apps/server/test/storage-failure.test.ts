import { expect } from "vitest";
import { expectError } from "./answer-checks.js";
import { failInserts } from "./failing-inserts.js";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { withOwnServer as it } from "./test-server.js";

const stored = async (client: TestClient) => {
  const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
  return [history.body.total, search.body.total];
};

it("answers 500 to a batch whose last write fails, stores nothing of it, and takes it later", async ({ server, client }) => {
  await client.sync(createMessage({ context: { id: "before" } }));
  // By then contexts and their places in the index have been written.
  const failing = await failInserts(server, "processed_messages", { column: "messageId", value: "poison" });
  const messages = ["first", "poison", "last"].map((messageId) => createMessage({ messageId }));
  for (const answer of [await client.batch(messages), await client.sync(messages[1])]) {
    expectError(answer, "internal_error");
    expect(answer.body.message).not.toContain("password");
  }
  expect(await stored(client)).toEqual([1, 1]);
  await failing.lift();
  const { body } = await client.batch(messages);
  expect(body).toMatchObject({ synced: 3, failed: 0 });
  expect(body.results.filter(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([]);
  expect(await stored(client)).toEqual([4, 4]);
});

it("a first key that could not be made leaves no user, so that the next start makes it", async ({ server }) => {
  const failing = await failInserts(server, "api_keys");
  await expect(server.access.createFirstKey()).rejects.toThrow("apiKey.create");
  expect(await server.access.listUsers()).toEqual([]);
  await failing.lift();
  expect(await server.access.createFirstKey()).toMatchObject({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/) });
});
