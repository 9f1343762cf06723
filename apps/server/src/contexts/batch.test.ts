import { expect } from "vitest";
import { createMessage, deleteMessage } from "../../test/messages.js";
import type { Answer } from "../../test/test-client.js";
import { withSharedServer as it } from "../../test/test-server.js";

const codesOf = ({ body }: Answer) => body.results.map(({ error }: { error?: { code: string } }) => error?.code);

it("answers 207 with the result of each message at its index", async ({ client }) => {
  const wrong = createMessage({ messageId: "b", context: { tabMetadata: undefined } });
  const { status, body } = await client.batch([createMessage({ messageId: "a" }), wrong, "nonsense"]);
  const error = { code: "validation_error", message: "payload.context.tabMetadata: required", retryable: false };
  expect(status).toBe(207);
  expect(body).toMatchObject({ messageId: "batch", status: "partial", synced: 1, failed: 2 });
  expect(body.results).toMatchObject([
    { messageId: "a", status: "success", privacyLevel: "private" },
    { messageId: "b", status: "error", error },
    { status: "error", error: { code: "validation_error" } },
  ]);
});

it("rejects a batch of no messages or over 100, and stores nothing", async ({ client }) => {
  const many = await client.batch(Array.from({ length: 101 }, () => createMessage()));
  expect(many).toMatchObject({ status: 400, body: { error: "bad_request", message: expect.stringContaining("100") } });
  expect((await client.batch([])).status).toBe(400);
  expect((await client.get("/context/history")).body.total).toBe(0);
  expect((await client.batch(Array.from({ length: 100 }, () => createMessage()))).body.synced).toBe(100);
});

it("refuses another user's envelope, or only another user's message", async ({ client }) => {
  const { userId } = client;
  expect((await client.batch([createMessage()], { userId: "someone" })).status).toBe(403);
  const contexts = [{ userId: "someone" }, { userId }].map((context) => createMessage({ context }));
  const answer = await client.batch([{ ...createMessage(), userId: "someone" }, ...contexts], { userId });
  expect(codesOf(answer)).toEqual(["forbidden", "forbidden", undefined]);
});

it("requires the scope of each message", async ({ server, client: { userId } }) => {
  const [writer, deleter] = await Promise.all((["write", "delete"] as const).map((scope) => server.client({ userId, scopes: [scope] })));
  const items = [createMessage({ context: { id: "c" } }), deleteMessage("c")];
  expect(codesOf(await writer!.batch(items))).toEqual([undefined, "forbidden"]);
  expect(codesOf(await deleter!.batch(items))).toEqual(["forbidden", undefined]);
  expect(await writer!.sync(deleteMessage("c"))).toMatchObject({ status: 403, body: { error: "forbidden" } });
});

it("accepts a batch at /context/sync, its messages beside or inside payload", async ({ client }) => {
  const head = { type: "batch", timestamp: "2026-01-31T12:00:00Z" };
  const beside = await client.sync({ ...head, id: "b1", messages: [createMessage()] });
  expect([beside.status, beside.body.messageId, beside.body.synced]).toEqual([207, "b1", 1]);
  const messages = [createMessage(), { id: "n", type: "batch", messages: [] }];
  const inside = await client.sync({ ...head, id: "b2", payload: { messages } });
  expect(inside.body).toMatchObject({ status: "partial", synced: 1, failed: 1 });
  expect((await client.sync({ ...head, id: "b3" })).status).toBe(400);
  const other = await client.sync({ ...head, id: "b4", payload: { operation: "create", messages } });
  expect([other.status, other.body.message]).toEqual([400, "payload.operation: must repeat the message's type, batch"]);
});

it("checks the timestamp of a batch at /context/sync as that of any message", async ({ client }) => {
  const batch = { id: "b", type: "batch", messages: [createMessage()] };
  const missing = await client.sync(batch);
  expect([missing.status, missing.body.message]).toEqual([400, "timestamp: required"]);
  const ahead = await client.sync({ ...batch, timestamp: new Date(Date.now() + 90_000_000).toISOString() });
  expect(ahead).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^timestamp: is more than 24 hours ahead/) } });
  expect((await client.get("/context/history")).body.total).toBe(0);
});
