import { describe, expect } from "vitest";
import { contextFields, createMessage, deleteMessage, updateMessage } from "../../test/messages.js";
import type { TestClient } from "../../test/test-client.js";
import { withSharedServer as it } from "../../test/test-server.js";

const noon = (seconds: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 31, 12, 0, seconds)).toISOString() });

describe("create", () => {
  it("stores a context with the defaults of the contract", async ({ client }) => {
    const answer = await client.sync(createMessage({ messageId: "m1", context: { id: "c1" } }));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      messageId: "m1",
      status: "success",
      contextId: "c1",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      privacyLevel: "private",
      reasons: [],
      redactions: {},
    });
    expect((await client.get("/context/c1")).body).toEqual({
      contextId: "c1",
      userId: client.userId,
      type: "page",
      url: "https://articles.example/reading",
      title: "Lighthouses",
      content: "An article about lighthouses and the people who kept them.",
      contentFormat: "text",
      tabId: "7",
      extensionId: "default",
      timestamp: "2026-01-31T12:00:00.000Z",
      privacyLevel: "private",
      metadata: {},
      tabMetadata: {
        id: "7",
        url: "https://articles.example/reading",
        title: "Lighthouses",
        isActive: true,
        isLoading: false,
        windowId: 0,
        lastUpdated: "2026-01-31T12:00:00.000Z",
      },
      viewedAt: "2026-01-31T12:00:00.000Z",
      lastSeenAt: "2026-01-31T12:00:00.000Z",
    });
  });

  it("recognises HTML by how it opens, unless a format is sent", async ({ client }) => {
    for (const [format, context] of [
      ["html", { content: " \n<!DOCTYPE html><p>x" }],
      ["html", { content: "<p class=a>x</p>" }],
      ["html", { content: "<!-- x -->" }],
      ["text", { content: "a < b and c > d" }],
      ["markdown", { content: "# Title", contentFormat: "markdown" }],
    ] as const) {
      const { contextId } = (await client.sync(createMessage({ context }))).body;
      expect([context, (await client.get(`/context/${contextId}`)).body.contentFormat]).toEqual([context, format]);
    }
  });

  it.for<[text: string, context: Record<string, unknown>]>([
    ["payload.context.tabMetadata: required", { tabMetadata: undefined }],
    ["payload.context.tabMetadata.title: required", { tabMetadata: { id: "1", url: "https://a.example/" } }],
    ["payload.context.tabId", { tabId: 5 }],
    ["payload.context.tabMetadata.windowId", { tabMetadata: { id: "1", url: "https://a.example/", title: "", windowId: "5" } }],
    ["payload.context.tabMetadata.isActive", { tabMetadata: { id: "1", url: "https://a.example/", title: "", isActive: "true" } }],
    ["payload.context.id: is a reserved name", { id: "history" }],
    ["payload.context.id", { id: "a/b" }],
    ["payload.context.url: must be an absolute URL", { url: "not a url" }],
    ["payload.context.url: must be an http, https or file URL", { url: "ftp://a.example/" }],
    ["payload.context.content: must be at most 1048576 bytes", { content: "é".repeat(524_289) }],
    ["payload.context.title: must be at most 2048 bytes", { title: "é".repeat(1_025) }],
    ["payload.context.metadata.nested", { metadata: { nested: { no: 1 } } }],
    ["payload.context.capturedAt", { capturedAt: "2026-01-31" }],
    ["payload.context.capturedAt: is more than 24 hours ahead", { capturedAt: "2199-01-31T00:00:00Z" }],
    ["payload.context.type", { type: "pages" }],
  ])("rejects what the contract does not allow: %s", async ([text, context], { client }) => {
    const { status, body } = await client.sync(createMessage({ context }));
    expect([status, body.error, body.details[0].path]).toEqual([400, "bad_request", text.split(":")[0]]);
    expect(body.message).toContain(text);
    expect((await client.get("/context/history")).body.total).toBe(0);
  });

  it("accepts content, title, URL and id at their bounds", async ({ client }) => {
    const texts = { content: "é".repeat(524_288), title: "é".repeat(1_024) };
    const context = { id: "x".repeat(128), ...texts, url: `https://a.example/${"p".repeat(8_174)}` };
    expect((await client.sync(createMessage({ context }))).status).toBe(201);
  });

  it("rejects private windows and browser pages with privacy_rejected", async ({ client }) => {
    const tabMetadata = { ...(contextFields()["tabMetadata"] as object), incognito: true };
    for (const context of [{ tabMetadata }, { url: "chrome://settings/" }, { url: "about:blank" }]) {
      const answer = await client.sync(createMessage({ context }));
      expect([answer.status, answer.body.error]).toEqual([403, "privacy_rejected"]);
    }
    expect((await client.get("/context/history")).body.total).toBe(0);
  });

  it("never lowers the privacy level of a stored context", async ({ client }) => {
    const write = (privacyLevel: string, seconds: number) =>
      client.sync(createMessage({ ...noon(seconds), context: { id: "c", privacyLevel, content: "words" } }));
    await write("restricted", 1);
    expect((await write("public", 2)).body).toMatchObject({ privacyLevel: "restricted", reasons: ["stored:level"] });
    const stored = { privacyLevel: "restricted", content: "", title: "[REDACTED:title]", url: "https://articles.example" };
    expect((await client.get("/context/c")).body).toMatchObject(stored);
  });
});

describe("update", () => {
  it("merges the given fields and keeps the rest searchable", async ({ client }) => {
    await client.sync(createMessage({ context: { id: "c", metadata: { project: "harbour" } } }));
    expect((await client.sync(updateMessage("c", { title: "Beacons", tabMetadata: { isActive: false } }))).status).toBe(201);
    expect((await client.sync(updateMessage("c", { tabId: "9" }, noon(3)))).status).toBe(201);
    const { body } = await client.get("/context/c");
    expect(body).toMatchObject({ title: "Beacons", tabId: "9", metadata: { project: "harbour" } });
    expect(body.content).toContain("lighthouses");
    expect(body.tabMetadata).toMatchObject({ isActive: false, title: "Lighthouses" });
    expect((await client.get("/context/search?query=beacons+lighthouses")).body.total).toBe(1);
  });

  it("filters new text, and keeps the higher level", async ({ client }) => {
    await client.sync(createMessage({ context: { id: "c", privacyLevel: "filtered" } }));
    const lower = await client.sync(updateMessage("c", { privacyLevel: "public", content: "write to someone@mail.example please" }));
    expect(lower.body).toMatchObject({ privacyLevel: "filtered", reasons: ["stored:level"], redactions: { email: 1 } });
    expect((await client.get("/context/c")).body.content).toBe("write to [REDACTED:email] please");
    expect((await client.sync(updateMessage("c", { privacyLevel: "restricted" }, noon(3)))).body.privacyLevel).toBe("restricted");
    expect((await client.get("/context/c")).body).toMatchObject({ content: "", title: "[REDACTED:title]" });
  });

  it("keeps the extension instance that captured the page", async ({ client }) => {
    await client.sync(createMessage({ extensionId: "laptop", context: { id: "c" } }));
    await client.sync({ ...updateMessage("c", { title: "Beacons" }), extensionId: "phone" });
    expect((await client.get("/context/c")).body).toMatchObject({ title: "Beacons", extensionId: "laptop" });
  });

  it("takes a context whose tab state the filter has made longer than a sender may send", async ({ client }) => {
    const tabMetadata = { id: "7", url: "https://articles.example/", title: "Lighthouses", lang: "a@b.co ".repeat(1_500) };
    await client.sync(createMessage({ context: { id: "grown", privacyLevel: "filtered", tabMetadata } }));
    const { body } = await client.get("/context/grown");
    expect(JSON.stringify(body.tabMetadata).length).toBeGreaterThan(16_384);
    expect((await client.sync(updateMessage("grown", { title: "Lamps", tabMetadata: { isActive: false } }))).body.status).toBe("success");
    expect((await client.get("/context/grown")).body).toMatchObject({ title: "Lamps", tabMetadata: { isActive: false } });
  });

  it("filters the stored text again when the page moves to a stricter site", async ({ client }) => {
    await client.sync(createMessage({ context: { id: "c" } }));
    const { body } = await client.sync(updateMessage("c", { url: "https://www.paypal.com/myaccount/summary" }));
    expect(body).toMatchObject({ privacyLevel: "restricted", reasons: ["category:payments"] });
    expect((await client.get("/context/c")).body.content).toBe("");
  });
});

it("a deleted context is not found by a search any more, and not counted", async ({ client }) => {
  for (const id of ["a", "b", "kept"]) await client.sync(createMessage({ context: { id } }));
  await client.sync(deleteMessage("a"));
  await client.delete("/context/b");
  for (const query of ["query=lighthouses", "urlPattern=articles"]) {
    const { body } = await client.get(`/context/search?${query}`);
    expect([body.total, body.results.map(({ contextId }: { contextId: string }) => contextId)]).toEqual([1, ["kept"]]);
  }
});

describe("config and error", () => {
  const send = (client: TestClient, payload: { type: string }) =>
    client.sync({ id: crypto.randomUUID(), type: payload.type, ...noon(0), payload });
  const config = (record: object) => ({ type: "config", config: record });
  const error = (details: unknown) => ({ type: "error", code: "E1", message: "it broke", details });

  it("accepts config and error up to 16 KiB", async ({ client }) => {
    for (const payloadOf of [(text: string) => config({ text }), error]) {
      const room = 16_384 - JSON.stringify(payloadOf("")).length;
      expect((await send(client, payloadOf("x".repeat(room)))).status).toBe(201);
      const { status, body } = await send(client, payloadOf("x".repeat(room + 1)));
      expect([status, body.message]).toEqual([400, expect.stringContaining("payload: must be at most 16384 bytes of JSON")]);
    }
  });

  it("accepts settings and details up to 32 levels", async ({ client }) => {
    const nested = (levels: number): object => (levels === 1 ? {} : { in: nested(levels - 1) });
    for (const payloadOf of [config, error]) {
      expect((await send(client, payloadOf(nested(32)))).status).toBe(201);
      const { status, body } = await send(client, payloadOf(nested(33)));
      expect([status, body.message]).toEqual([400, expect.stringContaining("must be nested at most 32 levels deep")]);
    }
  });

  it("rejects an operation that differs from the type", async ({ client }) => {
    const message = createMessage();
    const answer = await client.sync({ ...message, payload: { ...message.payload, operation: "update" } });
    expect(answer.body.message).toContain("payload.operation");
  });
});
