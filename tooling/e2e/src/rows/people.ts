import { expect } from "vitest";
import { type Stand, standsBeforeAnswer } from "@periscope/harness/faults";
import { filesWith } from "../harness/raw-data.ts";
import { within } from "@periscope/harness/wait-until";
import { passes } from "@periscope/harness/fault-proxy";
import type { Row } from "./row.ts";

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

export const peopleRows: Row[] = [
  {
    fault: "F15",
    injected: "12 places for 24 messages",
    mutation: "drops the oldest, whatever it is",
    async run({ client, stage }) {
      const queue = client({ limits: { items: 12 } });
      const kinds = ["selection", "navigation", "page", "navigation"] as const;
      const messages = Array.from({ length: 24 }, (_, index) => queue.ledger.message({ type: kinds[index % 4] ?? "page" }));
      const kept = await queue.ask({ do: "enqueue", messages });
      const { dropped, waiting } = await queue.status();
      expect({ dropped, waiting }).toEqual({ dropped: { full: 12 }, waiting: 12 });
      await queue.drain();
      const stored = new Set(stage.oracle.contexts(`${queue.ledger.scope}: `).map(({ content }) => content));
      const missing = messages.filter((message) => !stored.has(message.payload.context.content ?? ""));
      expect(missing.every((message) => message.payload.context.type === "navigation")).toBe(true);
      expect(stage.oracle.reports().some(({ details }) => details?.includes('"full":12') === true)).toBe(true);
      return { messages: kept.length - missing.length, losses: Math.abs(missing.length - (dropped.full ?? 0)), duplicates: 0 };
    },
  },
  {
    fault: "F21",
    injected: "another account with messages of the first still waiting",
    mutation: "sends under whatever key there is",
    async run({ client, stage }) {
      const queue = client();
      await queue.enqueue(5);
      queue.scope.account = "bob";
      await queue.enqueue(4);
      await queue.drain();
      const stored = () => stage.oracle.contexts(`${queue.ledger.scope}: `).map(({ userId }) => userId);
      expect(stored()).toEqual(Array.from({ length: 4 }, () => stage.users.bob));
      await stage.browser.killWorker();
      queue.scope.account = null;
      expect(await queue.ask({ do: "flush" })).toMatchObject({ endedBy: "no-account", requests: 0 });
      queue.scope.account = "ada";
      await queue.drain();
      expect(stored().slice(4)).toEqual(Array.from({ length: 5 }, () => stage.users.ada));
      return await queue.settle();
    },
  },
  {
    fault: "F24",
    injected: "card, token, password, blocked site, private window, oversized text; raw files and log searched",
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
  {
    fault: "F25",
    injected: "an account removed by a page while the worker drains",
    async run({ client, stage }) {
      const { proxy } = stage;
      const queue = client();
      await queue.enqueue(150);
      const page = await stage.browser.open("driver.html");
      const stand: Stand = standsBeforeAnswer();
      proxy.faults.push(stand.fault);
      const flushing = queue.ask({ do: "flush" });
      await within("A request", stand.reached);
      const removing = queue.ask({ do: "removeAccount", account: "ada" }, page);
      // It has done its first half, and waits for the drain.
      await within(
        "The first half of the removal",
        page.waitForFunction("navigator.locks.query().then(({ pending }) => pending.length > 0)", { polling: 20 }),
      );
      stand.release();
      await removing;
      const { arrived } = proxy;
      expect(await queue.rows()).toEqual([]);
      await flushing;
      expect(await queue.ask({ do: "flush" })).toMatchObject({ requests: 0, endedBy: "empty" });
      expect(proxy.arrived).toBe(arrived);
      await page.close();
      const stored = stage.oracle.contexts(`${queue.ledger.scope}: `).length;
      expect(stored).toBe(100);
      expect(await queue.status()).toMatchObject({ waiting: 0, bytes: 0, dropped: {} });
      return { messages: stored, losses: 0, duplicates: 0 };
    },
  },
];
