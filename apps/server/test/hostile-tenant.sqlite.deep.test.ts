import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { Installation } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { withOwnServer as it } from "./test-server.js";

// What is about one bound alone is tested in http-bounds.test.ts; here attacks go on while others use a server with little memory.

const prose = "The keeper of the lighthouse walked down to the harbour and looked at the ships. ";
const fill = (text: string, chars = 1_047_576): string => text.repeat(Math.ceil(chars / text.length)).slice(0, chars);
const page = (id: string, content: string) => createMessage({ context: { id, content } });
const pages = (count: number, content: string) => Array.from({ length: count }, (_, index) => page(`page${index}`, content));

const manyKeys = gzipSync(`{${Array.from({ length: 1_800_000 }, (_, index) => `"k${index}":1`).join(",")}}`, { level: 1 });
const packed = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
const call = (contextId: string, id: number) => {
  const params = { name: "get_context", arguments: { contextId, maxChars: 100_000 } };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
};
const calls = JSON.stringify(Array.from({ length: 20 }, (_, id) => call(`page${id % 12}`, id)));
const mcp = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

/** An attack: pages that it stores, requests at once, and what each of them is. */
const attacks: Record<
  string,
  [stored: unknown[], atOnce: number, ask: (client: TestClient, index: number, baseUrl: string) => Promise<unknown>]
> = {
  "title updates of a page that is slow to filter": [
    [page("big", fill("Cookie: a=b; "))],
    4,
    (client) => client.batch(Array.from({ length: 100 }, (_, index) => updateMessage("big", { title: `Title ${index}` }))),
  ],
  "millions of keys": [[], 4, (client) => client.send("POST", "/context/sync", { body: new Uint8Array(manyKeys), headers: packed })],
  "answers that nobody reads": [pages(1, fill(prose)), 150, (client, _, baseUrl) => leaveUnread(client, baseUrl)],
  "snippets of many large pages": [pages(450, fill(prose)), 4, (client) => client.get("/context/search?query=lighthouse&limit=1000")],
  "120 searches at once": [
    pages(3_000, fill(prose, 5_000)),
    120,
    (client, index) => client.get(`/context/search?query=lighthouse%20harbour%20ships%20keeper%20w${index}&limit=100`),
  ],
  "large deletions and deep pages of history": [
    pages(5_000, prose),
    16,
    (client, index) => {
      const id = (at: number) => `page${(Math.floor(index / 3) * 100 + at) % 5_000}`;
      if (index % 3 === 0) return client.get(`/context/history?limit=200&offset=${(index * 97) % 5_000}`);
      const message = (at: number) => (index % 3 === 1 ? deleteMessage(id(at)) : page(id(at), fill(prose, 50_000)));
      return client.batch(Array.from({ length: 100 }, (_, at) => message(at)));
    },
  ],
  "tools called twenty at a time": [
    pages(12, fill(prose)),
    8,
    (client) => client.send("POST", "/../../mcp", { body: calls, headers: mcp }),
  ],
};

/** Asks for a page thirty times on one connection, and reads no answer for five seconds. Whoever does not read does not hear of a close. */
async function leaveUnread({ key }: TestClient, baseUrl: string): Promise<void> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.pause();
  socket.write(`GET ${pathname}/context/page0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(30));
  await pause(5_000);
  socket.destroy();
}

it.for(Object.entries(attacks))("serves other users during an attack: %s", async ([, [stored, atOnce, ask]]) => {
  await using installation = await Installation.create({ NODE_OPTIONS: "--max-old-space-size=512", RATE_LIMIT_SYNC: "6000" });
  const server = await installation.serve();
  const [hostile, ...others] = await Promise.all(["hostile", "ada", "grace"].map((user) => installation.client(() => server, user)));
  if (!hostile) throw new Error("there is no attacker");
  const size = stored.length > 1_000 ? 100 : 12;
  for (let from = 0; from < stored.length; from += size) await hostile.batch(stored.slice(from, from + size));
  const residentMiB = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
  const before = residentMiB();

  let isOver = false;
  let index = 0;
  const attackers = Array.from({ length: atOnce }, async () => {
    while (!isOver) await ask(hostile, index++, server.baseUrl).catch(() => pause(20));
  });
  for (let turn = 0; turn < 30; turn++) {
    const other = others[turn % others.length]!;
    const content = "lighthouses and the people who kept them ".repeat(20);
    expect((await other.sync(createMessage({ context: { content } }))).status).toBe(201);
    expect((await other.get("/context/search?query=lighthouses")).status).toBe(200);
  }
  isOver = true;
  await Promise.all(attackers);
  await expect.poll(residentMiB, { timeout: 60_000, interval: 500 }).toBeLessThan(before + 256);
});

it("answers a small sync while four slow pages of another user are filtered", async ({ server, client }) => {
  const other = await server.client();
  const ids = ["a", "b", "c", "d"];
  const answered: string[] = [];
  const slowSync = client.batch(ids.map((id) => page(id, "password:/".repeat(104_000)))).finally(() => answered.push("slow"));
  const small = await other.sync(createMessage({ context: { content: "lighthouses ".repeat(400) } })).finally(() => answered.push("small"));
  expect(small.body.privacyLevel).toBe("private");
  const { body } = await slowSync;
  expect(answered).toEqual(["small", "slow"]);
  expect(body.results).toMatchObject(ids.map(() => ({ status: "success", privacyLevel: "private" })));
});
