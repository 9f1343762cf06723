import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { McpConnection, type ToolResult, ways } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

// Drives the service through the official MCP client, over both transports and in both eras of the protocol. How answers are fenced and
// bounded is tested in packages/mcp; what other users and bounded keys see, in security.test.ts.

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

const readingTools = ["get_current_context", "search_contexts", "list_history", "get_context"];

interface Page {
  title?: string;
  url?: string;
  content?: string;
  minute?: number;
}

function contextOf(id: string, { title = "Lighthouses", url = `https://a.example/${id}`, content, minute = 0 }: Page = {}) {
  const capturedAt = new Date(Date.UTC(2026, 0, 31, 12, minute)).toISOString();
  return { id, capturedAt, content: content ?? `The keeper of ${id} lights the lamp.`, tabMetadata: { id: "7", url, title } };
}

async function store(client: TestClient, id: string, page?: Page) {
  expect((await client.sync(createMessage({ context: contextOf(id, page) }))).status).toBe(201);
}

/** A line of a page as it stands in the JSON. */
const onLine = (text: string): unknown => expect.stringContaining(` ${text} >>>`);

/** What is between the lines with the boundary, which the notice names. */
function fenced(text: string): string {
  const boundary = /lines that hold (\w{32})|between <<<(\w{32})/.exec(text)?.slice(1).join("") ?? "none";
  const [before, inside, after, ...more] = text.split(new RegExp(`^(?:<<<|>>>)${boundary} page text (?:begins|ends)$`, "m"));
  expect([before !== undefined, after !== undefined, more]).toEqual([true, true, []]);
  return inside?.slice(1, -1) ?? "";
}

describe.each(ways)("over $transport, $era", (way) => {
  let client: TestClient;
  let mcp: McpConnection;
  beforeAll(async () => {
    client = await server.client();
    mcp = await McpConnection.open(server, client, way);
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  it("offers its tools with their hints", async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...readingTools, "delete_context"]);
    for (const { name, annotations, outputSchema, description } of tools) {
      const isReading = readingTools.includes(name);
      expect(annotations).toMatchObject({ readOnlyHint: isReading, destructiveHint: !isReading, idempotentHint: true });
      expect([outputSchema?.["type"], (description ?? "").length > 40]).toEqual(["object", true]);
    }
    expect(mcp.client.getServerCapabilities()).toMatchObject({ tools: { listChanged: false }, resources: { listChanged: false } });
    // Every request of a model carries the definitions.
    const definitions = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(JSON.stringify(definitions).length).toBeLessThan(5_000);
  });

  it("returns the current context, searches, lists, reads and deletes", async () => {
    expect(await mcp.call("get_current_context")).toMatchObject({ structured: { found: false }, isError: false });
    await store(client, "older", { title: "Harbours", minute: 1 });
    await store(client, "newer", { title: "Lighthouses", minute: 2 });
    const current = await mcp.call("get_current_context");
    const shown = { found: true, contextId: "newer", title: onLine("Lighthouses"), url: onLine("https://a.example/newer") };
    expect(current.structured).toMatchObject(shown);
    expect(fenced(current.text)).toContain("The keeper of newer lights the lamp.");
    const found = await mcp.call("search_contexts", { query: "keeper older" });
    const hit = { contextId: "older", title: onLine("Harbours"), snippet: expect.stringContaining("lamp") };
    expect(found.structured.items[0]).toMatchObject(hit);
    const history = await mcp.call("list_history", { since: "2026-01-31T12:01:30Z" });
    expect(history.structured).toMatchObject({ items: [{ contextId: "newer" }], total: 1 });
    expect((await mcp.call("get_context", { contextId: "older" })).structured.content).toContain("The keeper of older");
    expect(await mcp.call("delete_context", { contextId: "older" })).toMatchObject({ structured: { deleted: true } });
    expect(await mcp.call("delete_context", { contextId: "older" })).toMatchObject({ structured: { deleted: false }, isError: false });
    expect((await client.get("/context/older")).status).toBe(404);
  });

  it("neither offers nor allows delete to a key without that scope", async () => {
    await using readers = await McpConnection.open(server, await server.client({ scopes: ["read"] }), way);
    expect(await readers.toolNames()).toEqual(readingTools);
    const failed = (error: unknown) => ({ isError: true, text: String(error) });
    const outcome = await readers.call("delete_context", { contextId: "newer" }).catch(failed);
    expect(outcome).toMatchObject({ isError: true, text: expect.stringMatching(/not found/i) });
  });
});

describe("over http", () => {
  let client: TestClient;
  let mcp: McpConnection;
  beforeAll(async () => {
    client = await server.client();
    mcp = await McpConnection.open(server, client);
    await store(client, "newer", { minute: 2 });
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  it("pages through content, history and search without a gap", async () => {
    const content = Array.from({ length: 900 }, (_, at) => `${at} says: "lamp\\light"\n\t😀`).join(" ");
    await store(client, "long", { content, minute: 3 });
    const ids = Array.from({ length: 30 }, (_, at) => `page-${at}`);
    const pages = ids.map((id) => createMessage({ context: contextOf(id, { url: `https://a.example/${"y".repeat(900)}` }) }));
    expect((await client.batch(pages)).body.failed).toBe(0);
    const readAll = async (tool: string, args: object) => {
      const parts: ToolResult[] = [];
      for (let cursor: string | undefined; parts.length === 0 || cursor !== undefined; cursor = parts.at(-1)?.structured.nextCursor)
        parts.push(await mcp.call(tool, { ...args, maxChars: 4_000, ...(cursor !== undefined && { cursor }) }));
      return parts;
    };
    const read = await readAll("get_context", { contextId: "long" });
    expect(read.map(({ text }) => fenced(text).replace(/^Title: .*\nURL: .*\n\n/, "")).join("")).toBe(content);
    for (const [tool, args] of Object.entries({ list_history: {}, search_contexts: { query: "lamp" } })) {
      const items = (await readAll(tool, { ...args, limit: 25 })).flatMap(({ structured }) => structured.items);
      expect(new Set(items.map(({ contextId }) => contextId))).toEqual(new Set([...ids, "newer", "long"]));
      expect(items).toHaveLength(ids.length + 2);
    }
  });

  it("returns failures as results that say what to do next", async () => {
    const eraser = await server.client({ scopes: ["delete"] });
    await using erasers = await McpConnection.open(server, eraser);
    const failures = [
      [await mcp.call("get_context", { contextId: "none" }), /no context with this id.*search_contexts/],
      [await mcp.call("search_contexts", {}), /query.*urlPattern.*Correct the arguments/],
      [await mcp.call("get_context", { contextId: "newer", cursor: "!" }), /contentCursor.*Correct the arguments/],
      [await mcp.call("get_context", { contextId: "newer", maxChars: 10 }), /maxChars/],
      [await mcp.call("list_history", { since: "yesterday" }), /since.*ISO 8601/],
      [await erasers.call("list_history"), /lacks the scope read.*Tell the user/],
    ] as const;
    for (const [{ isError, text }, pattern] of failures) {
      expect([isError, text]).toEqual([true, expect.stringMatching(pattern)]);
      expect(text).not.toContain("psk_");
    }
  });

  it("offers contexts as resources, and a prompt", async () => {
    const { resourceTemplates } = await mcp.client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "periscope://context/{id}", mimeType: "text/plain" }]);
    const [read] = (await mcp.client.readResource({ uri: "periscope://context/newer" })).contents;
    expect(fenced(read !== undefined && "text" in read ? read.text : "")).toContain("The keeper of newer");
    await expect(mcp.client.readResource({ uri: "periscope://context/none" })).rejects.toThrow(/no context with this id/);
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts).toMatchObject([{ name: "what_was_i_reading_about" }]);
    const prompt = await mcp.client.getPrompt({ name: "what_was_i_reading_about", arguments: { topic: "lamps" } });
    expect(JSON.stringify(prompt.messages)).toMatch(/What was I reading about lamps\?.*search_contexts/);
  });
});

it("the command starts without the service and says what to do", async () => {
  const client = await server.client();
  const nowhere = { baseUrl: "http://127.0.0.1:9/api/v1" } as TestServer;
  await using mcp = await McpConnection.open(nowhere, client, { transport: "stdio", era: "legacy" });
  expect(await mcp.toolNames()).toEqual(readingTools);
  expect(mcp.errors.join("")).toContain("delete_context is not offered");
  const { isError, text } = await mcp.call("get_current_context");
  expect([isError, text]).toEqual([true, expect.stringContaining("tell the user that Periscope cannot be reached")]);
  expect(mcp.errors.join("") + text).not.toContain(client.key);
});
