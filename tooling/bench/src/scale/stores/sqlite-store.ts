import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startServer } from "@periscope/harness/server";
import Database from "better-sqlite3";
import { processMemory } from "../../measure/process-memory.ts";
import { processorSeconds } from "../../measure/processor-time.ts";
import type { StorePlace } from "./open-store.ts";
import type { ScaleStore } from "./scale-store.ts";
import { SqliteFloor } from "./sqlite-floor.ts";
import { StoreKeys } from "./store-keys.ts";

const settleMs = 500;
const busyMsMax = 30_000;

export async function openSqliteStore({ directory, epoch, keys, signal }: StorePlace): Promise<ScaleStore> {
  const dataDir = join(directory, "data");
  mkdirSync(dataDir, { recursive: true });
  const server = await startServer({ dataDir, signal });
  await using disposer = new AsyncDisposableStack();
  disposer.use(server);
  const db = disposer.adopt(new Database(join(dataDir, "periscope.db"), { timeout: busyMsMax }), (opened) => void opened.close());
  const floor = disposer.use(new SqliteFloor(join(directory, "floor.db"), join(dataDir, "periscope.db")));
  const known = new StoreKeys(keys, async (user, { keyId, hash }) => {
    db.prepare("INSERT INTO users (userId, createdAt, revision) VALUES (?, ?, 1) ON CONFLICT DO NOTHING").run(user, epoch);
    db.prepare(
      `INSERT INTO api_keys (keyId, userId, name, hash, scopes, maxPrivacyLevel, createdAt)
       VALUES (?, ?, 'bench', ?, 'read write delete', 'restricted', ?)`,
    ).run(keyId, user, hash, epoch);
  });
  const all = disposer.move();
  const number = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    engine: "sqlite",
    database: `SQLite ${db.prepare<[], string>("SELECT sqlite_version()").pluck().get() ?? ""}`,
    server,
    epoch,
    floor,
    keyOf: (user) => known.of(user),
    count: async () => number("SELECT count(*) FROM contexts"),
    settle: async () => {
      await delay(settleMs, undefined, { signal });
      return "as the server leaves it";
    },
    bytes: async () => readdirSync(dataDir).reduce((sum, name) => sum + statSync(join(dataDir, name)).size, 0),
    memory: () => {
      const memory = processMemory(server.pid);
      return { server: memory?.resident, serverPeak: memory?.peak };
    },
    processorSeconds: () => processorSeconds(server.pid),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
