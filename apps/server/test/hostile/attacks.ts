import { once } from "node:events";
import { setPriority } from "node:os";
import { collidingWords } from "../colliding-words.ts";
import { type Attacker, batch, gzip, message } from "./attacker.ts";

/** What an attacker does with one ordinary key. */
interface Attack {
  /** Stores what it needs. */
  prepare?: (attacker: Attacker) => Promise<void>;
  /** Goes on until the attacker is stopped. */
  run: (attacker: Attacker) => Promise<void>;
}

const mebibyte = 1_048_576;
const prose = "The keeper of the lighthouse walked down to the harbour and looked at the ships. ";
const fill = (text: string, bytes = mebibyte - 1_000): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join(" ");

/** Stores one page and updates its title again and again. */
const updatesOf = (content: string): Attack => ({
  prepare: async (attacker) =>
    void (await attacker.send({ path: "/context/sync", body: JSON.stringify(message("create", { id: "big", content })) })),
  run: (attacker) =>
    attacker.flood(4, () => ({
      path: "/context/batch-sync",
      body: batch(Array.from({ length: 100 }, (_, index) => message("update", { id: "big", title: `Title ${index}` }))),
    })),
});

/** Bytes of a body, each in a chunk of its own: `start`, then `repeated` again and again. */
function inBytes(count: number, start: readonly number[] = [], repeated: readonly number[] = [0x78]): Buffer {
  const chunks = Buffer.from("1\r\nx\r\n".repeat(count));
  for (let at = 0; at < count; at++) chunks[6 * at + 3] = start[at] ?? repeated[(at - start.length) % repeated.length] ?? 0;
  return chunks;
}

const manyKeys = (count: number, start: string, end: string): Uint8Array =>
  gzip(`${start}${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",")}${end}`);

const bigPages = async (attacker: Attacker, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 12)
    await attacker.send({
      path: "/context/batch-sync",
      body: batch(
        Array.from({ length: Math.min(12, count - from) }, (_, index) =>
          message("create", { id: `page${from + index}`, content: fill(prose) }),
        ),
      ),
    });
};

const rules = (index: number): string =>
  JSON.stringify({
    blockedSites: Array.from({ length: 500 }, (_, at) => `site${index}x${at}.example`),
    siteRules: [],
    denyList: [],
  });

const search = (query: string): { method: string; path: string } => ({ method: "GET", path: `/context/search?${query}` });

export const attacks = {
  "title updates of a page of 1 MiB": updatesOf(fill(prose)),
  "title updates of a page that is slow to filter": updatesOf(fill("Cookie: a=b; ")),
  "title updates of a page of words that are all different": updatesOf(
    fill(lines(90_000, (index) => `w${(index * 2_654_435_761) % 2 ** 32}`)),
  ),

  "title updates of a page of words that collide": updatesOf(collidingWords(30_000).join(" ")),

  "gzip bodies whose last bytes never come": {
    run: async (attacker) => {
      const body = gzip(batch([message("create", { content: "x".repeat(16_000_000) })]));
      const held = attacker.raw("POST", "/context/batch-sync", { body: body.subarray(0, -16), length: body.length });
      await attacker.hold(330, () => held);
    },
  },

  "millions of keys": {
    run: async (attacker) => {
      const count = 1_800_000;
      const places = [
        [`{"id":"a","type":"config","timestamp":"2026-01-01T00:00:00Z","payload":{"type":"config","config":{`, "}}}"],
        [
          `{"id":"a","type":"create","timestamp":"2026-01-01T00:00:00Z","payload":{"type":"context","operation":"create","context":{"metadata":{`,
          "}}}}",
        ],
        ["{", "}"],
      ] as const;
      const bodies = places.map(([start, end]) => manyKeys(count, start, end));
      const rpc = manyKeys(count, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{`, "}}}");
      await attacker.flood(4, (index) =>
        index % 4 === 3
          ? { path: "/mcp", body: rpc, headers: { Accept: "application/json, text/event-stream" } }
          : { path: "/context/sync", body: bodies[index % 4] ?? rpc },
      );
    },
  },

  "answers that nobody reads": {
    prepare: async (attacker) => await bigPages(attacker, 1),
    run: async (attacker) => {
      const read = Buffer.from(attacker.raw("GET", "/context/page0"));
      const pipelined = Buffer.concat(Array.from({ length: 30 }, () => read));
      await attacker.hold(150, () => pipelined);
    },
  },

  "snippets of many large pages": {
    prepare: async (attacker) => await bigPages(attacker, 450),
    run: (attacker) => attacker.flood(4, () => search("query=lighthouse&limit=1000")),
  },

  "120 searches at once": {
    prepare: async (attacker) => {
      for (let from = 0; from < 3_000; from += 100)
        await attacker.send({
          path: "/context/batch-sync",
          body: batch(
            Array.from({ length: 100 }, (_, index) => message("create", { id: `p${from + index}`, content: fill(prose, 5_000) })),
          ),
        });
    },
    run: (attacker) => attacker.flood(120, (index) => search(`query=lighthouse%20harbour%20ships%20keeper%20w${index}&limit=100`)),
  },

  "floods without a key, with made-up keys, and of /readyz": {
    run: (attacker) =>
      attacker.flood(16, (index) =>
        index % 3 === 0
          ? { method: "GET", path: "/readyz" }
          : {
              method: "GET",
              path: "/context/history",
              headers: {
                Authorization:
                  index % 3 === 1 ? "" : `Bearer psk_${"0".repeat(20)}${String(index % 1_000_000).padStart(6, "0")}_${"a".repeat(43)}`,
              },
            },
      ),
  },

  "batches as messages": {
    run: (attacker) =>
      attacker.flood(8, () => ({
        path: "/context/sync",
        body: batch(Array.from({ length: 100 }, (_, index) => message("create", { id: `b${index}`, content: fill(prose, 20_000) }))),
      })),
  },

  "words of more than 64 characters": {
    run: (attacker) =>
      attacker.flood(4, (index) => ({
        path: "/context/sync",
        body: JSON.stringify(
          message("create", { id: `long${index % 50}`, content: lines(8_000, (at) => `${"a".repeat(100)}${index}x${at}`) }),
        ),
      })),
  },

  "four pages at a time that are slow to filter": {
    run: (attacker) =>
      attacker.flood(4, (index) => ({
        path: "/context/sync",
        body: JSON.stringify(message("create", { id: `slow${index % 4}`, content: fill("password:/") })),
      })),
  },

  "connections that never finish their head": {
    run: async (attacker) => await attacker.hold(2_000, () => Buffer.from("GET /readyz HTTP/1.1\r\nHost: a")),
  },

  "large deletions and deep pages of history": {
    prepare: async (attacker) => {
      for (let from = 0; from < 5_000; from += 100)
        await attacker.send({
          path: "/context/batch-sync",
          body: batch(Array.from({ length: 100 }, (_, index) => message("create", { id: `d${from + index}`, content: prose }))),
        });
    },
    run: (attacker) =>
      attacker.flood(16, (index) => {
        const ids = Array.from({ length: 100 }, (_, at) => `d${(Math.floor(index / 3) * 100 + at) % 5_000}`);
        if (index % 3 === 0) return { method: "GET", path: `/context/history?limit=200&offset=${(index * 97) % 5_000}` };
        if (index % 3 === 1) return { path: "/context/batch-sync", body: batch(ids.map((id) => message("delete", { id }))) };
        return { path: "/context/batch-sync", body: batch(ids.map((id) => message("create", { id, content: fill(prose, 50_000) }))) };
      }),
  },

  "bodies in chunks of one byte": {
    run: async (attacker) => {
      const sent = Buffer.concat([attacker.raw("POST", "/context/sync", { isChunked: true }), inBytes(1_000_000)]);
      await attacker.hold(8, () => sent);
    },
  },

  "gzip of nothing in chunks of one byte": {
    run: async (attacker) => {
      const head = attacker.raw("POST", "/context/sync", { isChunked: true, isGzip: true });
      // An empty block of gzip decodes to nothing.
      const sent = Buffer.concat([head, inBytes(1_000_000, [...gzip("").subarray(0, 10)], [0, 0, 0, 255, 255])]);
      await attacker.hold(8, () => sent);
    },
  },

  "bodies in chunks of one byte behind a slow request": {
    prepare: async (attacker) => await bigPages(attacker, 12),
    run: async (attacker) => {
      const slow = attacker.raw("GET", "/context/search?query=lighthouse&limit=100");
      const chunked = Buffer.concat([
        attacker.raw("POST", "/context/sync", { isChunked: true }),
        inBytes(60_000),
        Buffer.from("0\r\n\r\n"),
      ]);
      const sent = Buffer.concat([slow, ...Array.from({ length: 30 }, () => chunked)]);
      await attacker.hold(8, () => sent);
    },
  },

  "rules replaced again and again": {
    run: (attacker) => attacker.flood(256, (index) => ({ method: "PUT", path: "/privacy/rules", body: rules(index) })),
  },

  "tools called twenty at a time": {
    prepare: async (attacker) => await bigPages(attacker, 12),
    run: (attacker) =>
      attacker.flood(8, () => ({
        path: "/mcp",
        headers: { Accept: "application/json, text/event-stream" },
        body: JSON.stringify(
          Array.from({ length: 20 }, (_, id) => ({
            jsonrpc: "2.0",
            id,
            method: "tools/call",
            params: { name: "get_context", arguments: { contextId: `page${id % 12}`, maxChars: 100_000 } },
          })),
        ),
      })),
  },
} satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

/** As a process of its own: `attacks.ts <name> <base address> <key>`. It says when it is prepared, and at its end how it was answered. */
if (import.meta.main) {
  const { Attacker } = await import("./attacker.ts");
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
