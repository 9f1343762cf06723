import { expect, test } from "vitest";
import { page, World } from "../../test/world.js";
import { memoryStore } from "../../test/testing/index.js";
import { type NewMessage, privacyFilter } from "./index.js";

const secret = "4111 1111 1111 1111";
const tabMetadata = { id: "7", url: `https://articles.example/?card=${secret}`, title: secret };

const messages: NewMessage[] = [
  {
    type: "create",
    payload: {
      context: { type: "page", tabId: "7", capturedAt: "2026-01-31T12:00:00Z", content: secret, metadata: { note: secret }, tabMetadata },
    },
  },
  { type: "update", payload: { context: { id: "c", title: secret, content: secret, metadata: { note: secret }, tabMetadata } } },
  { type: "update", payload: { context: { id: "c", content: secret } } },
  { type: "config", payload: { config: { card: secret, more: [{ password: "hunter2" }] } } },
  { type: "error", payload: { code: "failed", message: `with ${secret}`, details: { card: secret } } },
  // Fields outside the contract are not kept.
  { type: "delete", payload: { context: { id: "c", more: secret } } } as NewMessage,
  { type: "heartbeat", payload: { contextId: "c", more: secret } } as NewMessage,
];

test.each(messages.map((message, index) => [`${index} ${message.type}`, message] as const))(
  "keeps the secret of %s from disk and wire",
  async (_, message) => {
    const world = new World(memoryStore());
    const { queue } = world.start({ filter: privacyFilter() });
    expect(await queue.enqueue(message)).toMatchObject({ status: "queued" });
    const rows = await world.store.read(async (tx) => [await tx.all("heads"), await tx.all("bodies")]);
    expect(JSON.stringify(rows)).not.toMatch(/4111|hunter2/);
    await queue.flush();
    const [stored] = world.service.stored.values();
    expect(stored!.json).not.toMatch(/4111|hunter2/);
    expect(JSON.parse(stored!.json)).toMatchObject({ type: message.type });
  },
);

test("blocks private windows, blocked sites, browser pages and what it fails on", async () => {
  const { queue } = new World(memoryStore()).start({ filter: privacyFilter({ blockedSites: ["blocked.example"] }) });
  const at = (url: string, more: object = {}) => {
    const message = page();
    Object.assign(message.payload.context.tabMetadata, { url, ...more });
    return message;
  };
  expect(await queue.enqueue(at("https://blocked.example/"))).toEqual({ status: "blocked", rule: "blocked-site" });
  expect(await queue.enqueue(at("chrome://settings"))).toEqual({ status: "blocked", rule: "browser-page" });
  expect(await queue.enqueue(at("https://a.example/", { incognito: true }))).toEqual({ status: "blocked", rule: "private-window" });
  expect(await queue.enqueue(at("https://a.example/", { windowId: "one" }))).toEqual({ status: "blocked", rule: "filter:failed" });
  expect(await queue.enqueue({ type: "create", payload: {} } as never)).toMatchObject({ status: "blocked" });
});

test.each(["capturedAt", "tabMetadata", "tabMetadata.id", "tabMetadata.url", "tabMetadata.title"])(
  "blocks a create without %s",
  async (path) => {
    const { payload } = page();
    const [field = "", part] = path.split(".");
    const { context } = payload as object as { context: Record<string, Record<string, unknown>> };
    if (part === undefined) delete context[field];
    else delete context[field]?.[part];
    expect(await privacyFilter()({ type: "create", payload })).toEqual({ keep: false, rule: "filter:failed" });
  },
);

test("holds an update without an address at filtered", async () => {
  const filter = privacyFilter();
  const content = "Ask jo@mail.example.";
  const kept = async (context: object) => await filter({ type: "update", payload: { context: { id: "c", content, ...context } } });
  expect(JSON.stringify(await kept({}))).not.toContain("jo@mail");
  expect(JSON.stringify(await kept({ url: "https://articles.example/" }))).toContain("jo@mail");
});

test("refuses a policy that is not valid", () => {
  expect(() => privacyFilter({ detectorsOff: ["card"] })).toThrow(RangeError);
});

test.each([
  ["<p>The lamp", "html"],
  [" \n<!DOCTYPE html>", "html"],
  ["<!-- kept by hand -->", "html"],
  ["</p> ends a paragraph", "text"],
  ["<lamp", "text"],
  ["a<b", "text"],
])("content without a format, %j, has the one that the service would give it: %s", async (content, contentFormat) => {
  const { payload } = page(content);
  const verdicts = [
    await privacyFilter()({ type: "create", payload }),
    await privacyFilter()({ type: "update", payload: { context: { id: "c", ...payload.context } } }),
  ];
  expect(verdicts).toMatchObject([{ keep: true, message: { payload: { context: { contentFormat } } } }, { keep: true }]);
});
