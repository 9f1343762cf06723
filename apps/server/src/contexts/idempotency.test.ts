import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "../../test/messages.js";
import { TestServer } from "../../test/test-server.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

describe("a replayed message", () => {
  it("answers as before and changes nothing, also after a restart", async () => {
    const client = await server.client();
    const messages = [
      createMessage({ context: { id: "c" } }),
      updateMessage("c", { title: "Later" }),
      createMessage({ context: { id: "d" } }),
      deleteMessage("d"),
    ];
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

  it("takes effect once when copies arrive at the same time", async () => {
    const client = await server.client();
    const message = createMessage({ context: { id: undefined } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.sync(message)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.contextId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.duplicate !== true)).toHaveLength(1);
    expect((await client.get("/context/history")).body.total).toBe(1);
  });

  it("takes effect once within one batch", async () => {
    const client = await server.client();
    const message = createMessage({ context: { id: undefined } });
    const { body } = await client.batch([message, message]);
    expect(body).toMatchObject({ synced: 2, failed: 0 });
    expect(body.results[1]).toEqual({ ...body.results[0], duplicate: true });
  });

  it("is a new message for another extension instance or user", async () => {
    const client = await server.client();
    const other = await server.client();
    const message = createMessage({ messageId: "m" });
    await client.sync(message);
    expect((await client.sync({ ...message, extensionId: "second" })).body.duplicate).toBeUndefined();
    expect((await other.sync(message)).body.duplicate).toBeUndefined();
  });

  it("may differ in unknown fields, userId and the order of keys", async () => {
    const client = await server.client();
    const { id, type, timestamp, payload } = createMessage({ context: { id: "c" } });
    await client.sync({ id, type, timestamp, payload });
    const again = await client.sync({ payload: { ...payload, extra: 1 }, userId: client.userId, timestamp, later: true, type, id });
    expect(again.body.duplicate).toBe(true);
  });
});

describe("a message id that was used", () => {
  it("is refused for another body, alone or in a batch", async () => {
    const client = await server.client();
    const message = createMessage({ messageId: "m", context: { id: "c" } });
    await client.sync(message);
    const changed = createMessage({ messageId: "m", context: { id: "c", content: "other words" } });
    const single = await client.sync(changed);
    expect([single.status, single.body.error]).toEqual([400, "message_id_reused"]);
    const { body } = await client.batch([changed, createMessage()]);
    expect(body).toMatchObject({ synced: 1, failed: 1 });
    expect(body.results[0]).toMatchObject({ messageId: "m", status: "error", error: { code: "message_id_reused", retryable: false } });
  });

  it("is refused for every type of message", async () => {
    const client = await server.client();
    await client.sync(createMessage({ context: { id: "c" } }));
    const at = { timestamp: "2026-01-31T12:00:02Z" };
    const pairs = [
      [updateMessage("c", { title: "one" }, { messageId: "u" }), updateMessage("c", { title: "two" }, { messageId: "u" })],
      [deleteMessage("x", { messageId: "d" }), deleteMessage("y", { messageId: "d" })],
      [
        { id: "h", type: "heartbeat", ...at },
        { id: "h", type: "heartbeat", ...at, payload: { contextId: "c" } },
      ],
      [
        { id: "g", type: "config", ...at, payload: { config: { a: 1 } } },
        { id: "g", type: "config", ...at, payload: { config: { a: 2 } } },
      ],
      [
        { id: "e", type: "error", ...at, payload: { code: "1", message: "" } },
        { id: "e", type: "error", ...at, payload: { code: "2", message: "" } },
      ],
      [createMessage({ messageId: "t" }), { ...createMessage({ messageId: "t" }), timestamp: "2026-01-31T12:00:07Z" }],
    ];
    for (const [first, second] of pairs) {
      expect((await client.sync(first)).status).toBe(201);
      expect((await client.sync(second)).body.error).toBe("message_id_reused");
      expect((await client.sync(first)).body.duplicate).toBe(true);
    }
  });
});

describe("a message that failed", () => {
  it("can be corrected and sent again under the same id", async () => {
    const client = await server.client();
    const message = createMessage({ messageId: "m", context: { id: "c", tabMetadata: undefined } });
    expect((await client.sync(message)).status).toBe(400);
    expect((await client.sync(createMessage({ messageId: "m", context: { id: "c" } }))).body).toMatchObject({
      status: "success",
      contextId: "c",
    });
  });
});

describe("after the level was raised", () => {
  it("recognises the replay of the first message", async () => {
    const client = await server.client();
    const first = createMessage({ context: { id: "c", privacyLevel: "public", content: "mail someone@mail.example" } });
    await client.sync(first);
    await client.sync(updateMessage("c", { privacyLevel: "restricted" }));
    expect((await client.sync(first)).body.duplicate).toBe(true);
    const changed = { ...first, payload: { ...first.payload, context: { ...first.payload.context, content: "other" } } };
    expect((await client.sync(changed)).body.error).toBe("message_id_reused");
  });

  it("recognises the replay of an update that met a higher level", async () => {
    const client = await server.client();
    await client.sync(createMessage({ context: { id: "c", privacyLevel: "restricted" } }));
    const update = updateMessage("c", { content: "words", privacyLevel: "public" });
    expect((await client.sync(update)).body.privacyLevel).toBe("restricted");
    expect((await client.sync(update)).body.duplicate).toBe(true);
  });
});

describe("another message under a used id", () => {
  it("is refused also when it is filtered to a higher level", async () => {
    const client = await server.client();
    await client.sync(createMessage({ messageId: "m", context: { id: "c" } }));
    const others = [
      createMessage({ messageId: "m", context: { id: "other", privacyLevel: "restricted" } }),
      createMessage({ messageId: "m", context: { id: "c", url: "https://www.paypal.com/myaccount/summary" } }),
      createMessage({
        messageId: "m",
        timestamp: "2026-01-31T12:00:09Z",
        context: { id: "c", url: "https://www.paypal.com/myaccount/summary" },
      }),
      createMessage({ messageId: "m", context: { id: "c", url: "chrome://settings" } }),
    ];
    for (const other of others) expect((await client.sync(other)).body.error).toBe("message_id_reused");
    expect((await client.get("/context/history")).body.total).toBe(1);
  });
});
