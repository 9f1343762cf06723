import { expect } from "vitest";
import { passes } from "@periscope/harness/fault-proxy";
import { cutsAfterStoring, cutsAnswer, cutsBeforeReading, portal, stalls, stallsInBody, truncates } from "@periscope/harness/faults";
import { filesWith } from "../harness/raw-data.ts";
import type { Row } from "./row.ts";

const hour = 3_600_000;

/** What must be nowhere but in the page it was on. Put together here, so that no file of the repository holds one. */
const secrets = {
  card: ["4111", "1111", "1111", "1111"].join(" "),
  token: `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`,
  password: ["correct", "horse7", "battery"].join("-"),
  blockedSite: "dear-diary-of-ada",
  privateWindow: "seen-in-a-private-window",
  oversized: "oversized-beyond-measure",
};
const canary = "canary-that-may-be-read";

/** What goes over a real line, and what must not. What a queue makes of each answer is tested in Node: `packages/sync/test/scenarios`. */
export const wireRows: Row[] = [
  {
    fault: "F4",
    injected: "stored, then the connection cut, the answer cut, or half of its JSON",
    mutation: "makes a new id for each attempt",
    async run({ client, stage }) {
      const queue = client();
      await queue.enqueue(5);
      stage.proxy.faults.push(cutsAfterStoring, cutsAnswer, truncates);
      expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 5, failed: 0 });
      // On a connection that was used before, the browser itself sends it again.
      stage.proxy.keepsAlive = true;
      await queue.enqueue(1);
      await queue.drain();
      await queue.enqueue(3);
      stage.proxy.faults.push(cutsAfterStoring);
      expect(await queue.drain()).toMatchObject({ synced: 0, duplicates: 3, failed: 0 });
      expect((await queue.status()).deadLetters).toBe(0);
      return await queue.settle();
    },
  },
  {
    fault: "F9",
    injected: "a captive portal, cut lines, stalled answers, no such host, broken TLS",
    mutation: "takes any answer of 200 as success",
    async run({ client, stage }) {
      const timeoutMs = 1_500;
      const queue = client({ timeoutMs });
      await queue.enqueue(3);
      for (const fault of [portal, cutsBeforeReading, stalls, stallsInBody]) {
        stage.proxy.faults.push(fault);
        expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
        expect(await queue.rows()).toHaveLength(3);
        queue.clockOffset += hour;
      }
      for (const baseUrl of ["http://periscope.invalid/api/v1", stage.proxy.baseUrl.replace("http:", "https:")]) {
        const lost = client({ timeoutMs, baseUrl });
        await lost.enqueue(3);
        expect(await lost.ask({ do: "flush" })).toMatchObject({ endedBy: "blocked", requests: 1, synced: 0 });
        expect(await lost.rows()).toHaveLength(3);
      }
      return await queue.settle();
    },
  },
  {
    fault: "F24",
    injected: "secrets, a blocked site, a private window, oversized text leave nothing",
    mutation: "stores before it filters",
    async run({ client, stage }) {
      const { proxy, directories } = stage;
      const wire: string[] = [];
      proxy.always = async (exchange) => {
        exchange.request.on("data", (chunk: Buffer) => wire.push(chunk.toString("latin1")));
        await passes(exchange);
      };
      const queue = client({ privacy: { blockedSites: ["diary.example"] } });
      const [open, diary, hidden, large] = [1, 2, 3, 4].map(() => queue.ledger.message());
      if (!open || !diary || !hidden || !large) throw new Error("Four messages were made.");
      open.payload.context.content = `${canary}. My card number: ${secrets.card}. password: ${secrets.password}\n${secrets.token}`;
      diary.payload.context.content = secrets.blockedSite;
      diary.payload.context.tabMetadata.url = "https://diary.example/today";
      hidden.payload.context.content = secrets.privateWindow;
      hidden.payload.context.tabMetadata.incognito = true;
      large.payload.context.content = `${secrets.oversized} `.repeat(100_000);
      const kept = await queue.ask({ do: "enqueue", messages: [open, diary, hidden, large] });
      expect(kept).toMatchObject([
        { status: "queued" },
        { status: "blocked" },
        { status: "blocked" },
        { status: "dropped", reason: "too-large" },
      ]);
      // What may be read is found by the same search: it sees what is there.
      expect(await filesWith([directories.profile], canary)).not.toEqual([]);
      for (const [name, secret] of Object.entries(secrets))
        expect([name, await filesWith([directories.profile], secret)]).toEqual([name, []]);
      await queue.drain();
      expect(stage.oracle.contexts(canary)).toHaveLength(1);
      expect(wire.join("")).toContain(canary);
      expect(await filesWith([directories.server], canary)).not.toEqual([]);
      for (const [name, secret] of Object.entries(secrets)) {
        expect([name, await filesWith([directories.profile, directories.server], secret)]).toEqual([name, []]);
        expect([name, wire.join("").includes(secret), stage.log().includes(secret)]).toEqual([name, false, false]);
      }
      expect(stage.log()).not.toBe("");
      return { messages: 1, losses: 0, duplicates: 0 };
    },
  },
];
