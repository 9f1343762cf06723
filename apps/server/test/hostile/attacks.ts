import { once } from "node:events";
import { setPriority } from "node:os";
import { gzipSync } from "node:zlib";
import { Attacker, batch, message } from "./attacker.ts";

/** What an attacker does with one ordinary key. What is about one bound alone is tested in http-bounds.test.ts. */
interface Attack {
  /** Stores what it needs. */
  prepare?: (attacker: Attacker) => Promise<void>;
  /** Goes on until the attacker is stopped. */
  run: (attacker: Attacker) => Promise<void>;
}

const prose = "The keeper of the lighthouse walked down to the harbour and looked at the ships. ";
const fill = (text: string, bytes = 1_047_576): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
const batchOf = (count: number, each: (index: number) => Record<string, unknown>) => ({
  path: "/context/batch-sync",
  body: batch(Array.from({ length: count }, (_, index) => each(index))),
});
const sync = (context: Record<string, unknown>) => ({ path: "/context/sync", body: JSON.stringify(message("create", context)) });
const search = (query: string) => ({ method: "GET", path: `/context/search?${query}` });

/** Stores pages `page0`, `page1` and so on. */
async function storePages(attacker: Attacker, count: number, content = fill(prose)): Promise<void> {
  const size = content.length > 100_000 ? 12 : 100;
  for (let from = 0; from < count; from += size)
    await attacker.send(batchOf(Math.min(size, count - from), (index) => message("create", { id: `page${from + index}`, content })));
}

const manyKeys = (start: string, end: string): Uint8Array =>
  gzipSync(`${start}${Array.from({ length: 1_800_000 }, (_, index) => `"k${index}":1`).join(",")}${end}`, { level: 1 });

export const attacks = {
  "title updates of a page that is slow to filter": {
    prepare: async (attacker) => void (await attacker.send(sync({ id: "big", content: fill("Cookie: a=b; ") }))),
    run: (attacker) => attacker.flood(4, () => batchOf(100, (index) => message("update", { id: "big", title: `Title ${index}` }))),
  },

  "millions of keys": {
    run: async (attacker) => {
      const head = (type: string) => `{"id":"a","type":"${type}","timestamp":"2026-01-01T00:00:00Z","payload":{"type":`;
      const bodies = [
        manyKeys(`${head("config")}"config","config":{`, "}}}"),
        manyKeys(`${head("create")}"context","operation":"create","context":{"metadata":{`, "}}}}"),
        manyKeys("{", "}"),
      ];
      const rpc = manyKeys(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{`, "}}}");
      await attacker.flood(4, (index) =>
        index % 4 === 3
          ? { path: "/mcp", body: rpc, headers: { Accept: "application/json, text/event-stream" } }
          : { path: "/context/sync", body: bodies[index % 4] ?? rpc },
      );
    },
  },

  "answers that nobody reads": {
    prepare: (attacker) => storePages(attacker, 1),
    run: async (attacker) => {
      const pipelined = Buffer.concat(Array.from({ length: 30 }, () => attacker.raw("GET", "/context/page0")));
      await attacker.hold(150, () => pipelined);
    },
  },

  "snippets of many large pages": {
    prepare: (attacker) => storePages(attacker, 450),
    run: (attacker) => attacker.flood(4, () => search("query=lighthouse&limit=1000")),
  },

  "120 searches at once": {
    prepare: (attacker) => storePages(attacker, 3_000, fill(prose, 5_000)),
    run: (attacker) => attacker.flood(120, (index) => search(`query=lighthouse%20harbour%20ships%20keeper%20w${index}&limit=100`)),
  },

  "four pages at a time that are slow to filter": {
    run: (attacker) => attacker.flood(4, (index) => sync({ id: `slow${index % 4}`, content: fill("password:/") })),
  },

  "large deletions and deep pages of history": {
    prepare: (attacker) => storePages(attacker, 5_000, prose),
    run: (attacker) =>
      attacker.flood(16, (index) => {
        const idOf = (at: number) => `page${(Math.floor(index / 3) * 100 + at) % 5_000}`;
        if (index % 3 === 0) return { method: "GET", path: `/context/history?limit=200&offset=${(index * 97) % 5_000}` };
        if (index % 3 === 1) return batchOf(100, (at) => message("delete", { id: idOf(at) }));
        return batchOf(100, (at) => message("create", { id: idOf(at), content: fill(prose, 50_000) }));
      }),
  },

  "bodies in chunks of one byte behind a slow request": {
    prepare: (attacker) => storePages(attacker, 12),
    run: async (attacker) => {
      const slow = attacker.raw("GET", "/context/search?query=lighthouse&limit=100");
      const chunked = Buffer.concat([
        attacker.raw("POST", "/context/sync", { "Content-Type": "application/json", "Transfer-Encoding": "chunked" }),
        Buffer.from(`${"1\r\nx\r\n".repeat(60_000)}0\r\n\r\n`),
      ]);
      const sent = Buffer.concat([slow, ...Array.from({ length: 30 }, () => chunked)]);
      await attacker.hold(8, () => sent);
    },
  },

  "tools called twenty at a time": {
    prepare: (attacker) => storePages(attacker, 12),
    run: (attacker) => {
      const call = (id: number) => {
        const params = { name: "get_context", arguments: { contextId: `page${id % 12}`, maxChars: 100_000 } };
        return { jsonrpc: "2.0", id, method: "tools/call", params };
      };
      const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => call(id)));
      return attacker.flood(8, () => ({ path: "/mcp", headers: { Accept: "application/json, text/event-stream" }, body }));
    },
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

/** As a process of its own: `attacks.ts <name> <base address> <key>`. It says when it is prepared, and at its end how it was answered. */
if (import.meta.main) {
  const [name = "", baseUrl = "", key = ""] = process.argv.slice(2);
  // An attacker has a machine of its own: here, the server's goes first.
  setPriority(19);
  const attacker = new Attacker(baseUrl, key);
  const attack: Attack = attacks[name as AttackName];
  await attack.prepare?.(attacker);
  const told = once(process, "message");
  process.send?.("prepared");
  await told;
  const ended = once(process, "message");
  attack.run(attacker).catch(() => {});
  await ended;
  attacker.stop();
  process.send?.(attacker.answers, () => process.exit(0));
}
