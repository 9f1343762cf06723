import { describe, expect } from "vitest";
import { expectError } from "./answer-checks.js";
import { failInserts } from "./failing-inserts.js";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { type TestServer, withOwnServer as it } from "./test-server.js";

const poisoned = { messageId: "poison" };

/** Lets the last write of a message fail: by then its context and its place in the index have been written. */
const failLast = (server: TestServer) => failInserts(server, "processed_messages", { column: "messageId", value: "poison" });

const stored = async (client: TestClient) => {
  const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
  return [history.body.total, search.body.total];
};

describe("a write that fails at its end", () => {
  it("answers 500 without internal text, and stores nothing", async ({ server, client }) => {
    const failing = await failLast(server);
    const message = createMessage({ ...poisoned, context: { id: "c" } });
    const answer = await client.sync(message);
    expectError(answer, "internal_error");
    expect(JSON.stringify(answer.body)).not.toContain("password");
    expect(await stored(client)).toEqual([0, 0]);
    await failing.lift();
    expect((await client.sync(message)).body).toMatchObject({ status: "success", contextId: "c" });
    expect((await client.sync(message)).body.duplicate).toBe(true);
    expect(await stored(client)).toEqual([1, 1]);
  });

  it("fails the whole batch, which can be sent again", async ({ server, client }) => {
    await client.sync(createMessage({ context: { id: "before" } }));
    const failing = await failLast(server);
    const messages = [createMessage({ messageId: "first" }), createMessage(poisoned), createMessage({ messageId: "last" })];
    expectError(await client.batch(messages), "internal_error");
    expect(await stored(client)).toEqual([1, 1]);
    await failing.lift();
    const { body } = await client.batch(messages);
    expect(body).toMatchObject({ synced: 3, failed: 0 });
    expect(body.results.filter(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([]);
    expect(await stored(client)).toEqual([4, 4]);
  });
});

it("a first key that could not be made leaves no user, so that the next start makes it", async ({ server }) => {
  const failing = await failInserts(server, "api_keys");
  await expect(server.access.createFirstKey()).rejects.toThrow("apiKey.create");
  expect(await server.access.listUsers()).toEqual([]);
  await failing.lift();
  expect(await server.access.createFirstKey()).toMatchObject({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/) });
});
