import { describe, expect } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "../../test/messages.js";
import { withSharedServer as it } from "../../test/test-server.js";

describe("a replayed message", () => {
  it("answers as before and changes nothing, also after a restart", async ({ client, server }) => {
    const [c, d] = ["c", "d"].map((id) => createMessage({ context: { id } }));
    const messages = [c, updateMessage("c", { title: "Later" }), d, deleteMessage("d")];
    const first = [];
    for (const message of messages) first.push((await client.sync(message)).body);
    const before = (await client.get("/context/c")).body;
    await server.restart();
    for (const [index, message] of messages.entries()) {
      const again = await client.sync(message);
      expect(again.status).toBe(201);
      expect(again.body).toEqual({ ...first[index], duplicate: true });
    }
    const batch = await client.batch(messages, { extensionId: "default" });
    expect(batch.body.results).toEqual(first.map((body) => ({ ...body, duplicate: true })));
    expect((await client.get("/context/c")).body).toEqual(before);
  });

  it("takes effect once when copies arrive at the same time", async ({ client }) => {
    const message = createMessage({ context: { id: undefined } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.sync(message)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.contextId))).toEqual(new Set([expect.stringMatching(/^ctx_[0-9A-HJKMNP-TV-Z]{26}$/)]));
    expect(answers.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
    expect((await client.get("/context/history")).body.total).toBe(1);
  });

  it("takes effect once within one batch", async ({ client }) => {
    const message = createMessage({ context: { id: undefined } });
    const { body } = await client.batch([message, message]);
    expect(body).toMatchObject({ synced: 2, failed: 0 });
    expect(body.results[1]).toEqual({ ...body.results[0], duplicate: true });
  });

  it("is a new message for another extension instance or user", async ({ client, server }) => {
    const other = await server.client();
    const message = createMessage({ messageId: "m" });
    await client.sync(message);
    expect((await client.sync({ ...message, extensionId: "second" })).body.duplicate).toBeUndefined();
    expect((await other.sync(message)).body.duplicate).toBeUndefined();
  });

  it("may differ in unknown fields, userId and the order of keys", async ({ client }) => {
    const { id, type, timestamp, payload } = createMessage({ context: { id: "c" } });
    await client.sync({ id, type, timestamp, payload });
    const again = await client.sync({ payload: { ...payload, extra: 1 }, userId: client.userId, timestamp, later: true, type, id });
    expect(again.body.duplicate).toBe(true);
  });
});

const at = { timestamp: "2026-01-31T12:00:02Z" };
const page = (context: object, more: object = {}) => ({ ...createMessage({ messageId: "m", context: { id: "c", ...context } }), ...more });
const paypal = { url: "https://www.paypal.com/myaccount/summary" };

it.for<[what: string, first: object, ...others: object[]]>([
  ["create", page({}), page({ content: "other words" }), page({}, at), page({ id: "d", privacyLevel: "restricted" })],
  ["create that is filtered to a higher level or refused", page({}), page(paypal), page(paypal, at), page({ url: "chrome://settings" })],
  ["update", updateMessage("known", { title: "one" }, { messageId: "m" }), updateMessage("known", { title: "two" }, { messageId: "m" })],
  ["delete", deleteMessage("x", { messageId: "m" }), deleteMessage("y", { messageId: "m" })],
  ["heartbeat", { id: "m", type: "heartbeat", ...at }, { id: "m", type: "heartbeat", ...at, payload: { contextId: "c" } }],
  ["config", ...[1, 2].map((a) => ({ id: "m", type: "config", ...at, payload: { config: { a } } }))] as never,
  ["error", ...["1", "2"].map((code) => ({ id: "m", type: "error", ...at, payload: { code, message: "" } }))] as never,
])("a used message id is refused for another body, alone and in a batch: %s", async ([, first, ...others], { client }) => {
  await client.sync(createMessage({ context: { id: "known" } }));
  expect((await client.sync(first)).status).toBe(201);
  for (const other of others) {
    expect(await client.sync(other)).toMatchObject({ status: 400, body: { error: "message_id_reused" } });
    const { body } = await client.batch([other, createMessage({ context: { id: "known" } })]);
    expect(body).toMatchObject({ synced: 1, results: [{ messageId: "m", error: { code: "message_id_reused", retryable: false } }, {}] });
  }
  expect((await client.sync(first)).body.duplicate).toBe(true);
});

it("a message that failed can be corrected and sent again under the same id", async ({ client }) => {
  expect((await client.sync(page({ tabMetadata: undefined }))).status).toBe(400);
  expect((await client.sync(page({}))).body).toMatchObject({ status: "success", contextId: "c" });
});

describe("after the level was raised", () => {
  it("recognises the replay of the first message", async ({ client }) => {
    const first = createMessage({ context: { id: "c", privacyLevel: "public", content: "mail someone@mail.example" } });
    await client.sync(first);
    await client.sync(updateMessage("c", { privacyLevel: "restricted" }));
    expect((await client.sync(first)).body.duplicate).toBe(true);
    const changed = { ...first, payload: { ...first.payload, context: { ...first.payload.context, content: "other" } } };
    expect((await client.sync(changed)).body.error).toBe("message_id_reused");
  });

  it("recognises the replay of an update that met a higher level", async ({ client }) => {
    await client.sync(createMessage({ context: { id: "c", privacyLevel: "restricted" } }));
    const update = updateMessage("c", { content: "words", privacyLevel: "public" });
    expect((await client.sync(update)).body.privacyLevel).toBe("restricted");
    expect((await client.sync(update)).body.duplicate).toBe(true);
  });
});
