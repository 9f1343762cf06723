import { expect } from "vitest";
import { createMessage, deleteMessage } from "../../test/messages.js";
import { withSharedServer as it } from "../../test/test-server.js";

it("answers 207 with the result of each message at its index", async ({ client }) => {
  const { status, body } = await client.batch([
    createMessage({ messageId: "a" }),
    createMessage({ messageId: "b", context: { tabMetadata: undefined } }),
    "nonsense",
  ]);
  expect(status).toBe(207);
  expect(body).toMatchObject({ messageId: "batch", status: "partial", synced: 1, failed: 2 });
  expect(body.results[0]).toMatchObject({ messageId: "a", status: "success", privacyLevel: "private" });
  expect(body.results[1]).toMatchObject({
    messageId: "b",
    status: "error",
    error: { code: "validation_error", message: "payload.context.tabMetadata: required", retryable: false },
  });
  expect(body.results[2]).toMatchObject({ status: "error", error: { code: "validation_error" } });
});

it("rejects a batch of no messages or over 100, and stores nothing", async ({ client }) => {
  const many = await client.batch(Array.from({ length: 101 }, () => createMessage()));
  expect([many.status, many.body.error]).toEqual([400, "bad_request"]);
  expect(many.body.message).toContain("100");
  expect((await client.batch([])).status).toBe(400);
  expect((await client.get("/context/history")).body.total).toBe(0);
  expect((await client.batch(Array.from({ length: 100 }, () => createMessage()))).body.synced).toBe(100);
});

it("refuses another user's envelope, or only another user's message", async ({ client }) => {
  expect((await client.batch([createMessage()], { userId: "someone" })).status).toBe(403);
  const { body } = await client.batch(
    [
      { ...createMessage(), userId: "someone" },
      createMessage({ context: { userId: "someone" } }),
      createMessage({ context: { userId: client.userId } }),
    ],
    {
      userId: client.userId,
    },
  );
  expect(body.results.map((result: any) => result.error?.code)).toEqual(["forbidden", "forbidden", undefined]);
});

it("requires the scope of each message", async ({ server }) => {
  const { userId } = await server.client();
  const writer = await server.client({ userId, scopes: ["write"] });
  const deleter = await server.client({ userId, scopes: ["delete"] });
  const items = [createMessage({ context: { id: "c" } }), deleteMessage("c")];
  expect((await writer.batch(items)).body.results.map((result: any) => result.error?.code)).toEqual([undefined, "forbidden"]);
  expect((await deleter.batch(items)).body.results.map((result: any) => result.error?.code)).toEqual(["forbidden", undefined]);
  const single = await writer.sync(deleteMessage("c"));
  expect([single.status, single.body.error]).toEqual([403, "forbidden"]);
});

it("accepts a batch at /context/sync, its messages beside or inside payload", async ({ client }) => {
  const beside = await client.sync({ id: "b1", type: "batch", messages: [createMessage()] });
  expect([beside.status, beside.body.messageId, beside.body.synced]).toEqual([207, "b1", 1]);
  const inside = await client.sync({
    id: "b2",
    type: "batch",
    payload: { messages: [createMessage(), { id: "n", type: "batch", messages: [] }] },
  });
  expect(inside.body).toMatchObject({ status: "partial", synced: 1, failed: 1 });
  expect((await client.sync({ id: "b3", type: "batch" })).status).toBe(400);
});
