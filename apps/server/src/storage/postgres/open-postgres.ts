import { createAccessStore } from "../access.prisma-store.js";
import { createRulesStore } from "../rules.prisma-store.js";
import type { RateClock } from "../../rates/rate.store.js";
import type { Storage } from "../storage.js";
import { tellingGone } from "../telling-gone.js";
import { AccessChanges, countAccessChange } from "./access-changes.js";
import { createApplyStore } from "./apply-store.js";
import { CountKeeper } from "./context-counts.js";
import { createContextStore } from "./context-store.js";
import { databaseGone } from "./database-gone.js";
import { deleteBeside, deleteInParts } from "./delete-user.js";
import { hotAccess } from "./hot-access.js";
import { advisoryLocks } from "./locks.js";
import { migratePostgres } from "./migrate.js";
import { openPrisma, writeOfUser } from "./open-prisma.js";
import { openPool, type PoolOptions } from "./pool.js";
import { prune } from "./prune.js";
import { createRateStore } from "./rate-store.js";
import { createPostgresSearch } from "./search.js";
import { createSyncStore } from "./sync-store.js";
import { UserTurns } from "./user-turns.js";

interface PostgresOptions extends PoolOptions {
  searchTimeoutMs: number;
  onSearchTimeout?: () => void;
  rateClock?: RateClock | undefined;
}

/** Opens the PostgreSQL database that the URL names, bringing it up to date first. */
export async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<Storage> {
  await migratePostgres(databaseUrl);
  const pool = openPool(databaseUrl, options);
  const prisma = openPrisma(pool);
  const turns = new UserTurns();
  const counts = new CountKeeper(pool, turns);
  const { findRules, findKey, touchKey, withUses } = hotAccess(pool);
  const changes = new AccessChanges(pool);
  const write = writeOfUser(prisma);
  const { searchTimeoutMs: timeoutMs, onSearchTimeout: onTimeout = () => {}, rateClock = () => undefined } = options;
  const access = createAccessStore(prisma, write, {
    async takenAway(tx, userId) {
      await countAccessChange(tx);
      if (userId !== null) await deleteBeside(tx, userId);
    },
    alone: (tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.firstKey})::text`,
  });
  const telling = tellingGone(databaseGone);
  let closing = false;

  return {
    contexts: telling(createContextStore(pool, turns, counts)),
    sync: telling(createSyncStore(pool, turns)),
    search: telling(createPostgresSearch(pool, { timeoutMs, onTimeout, slots: Math.ceil(options.connectionsMax / 2) })),
    access: telling({
      ...access,
      findKey,
      touchKey,
      listKeys: async (userId) => await withUses(await access.listKeys(userId), userId),
      deleteUser: (userId: string) => deleteInParts({ pool, turns, userId }, () => access.deleteUser(userId)),
    }),
    rules: telling({ ...createRulesStore(write), find: findRules }),
    apply: createApplyStore(pool, turns),
    rates: telling(createRateStore(pool, rateClock)),
    revision: () => changes.revision(),
    // Of a table that is near: with one machine of a cluster down, most users are served still.
    ping: async () => void (await pool.query({ name: "ping", text: "SELECT 1 FROM access_changes" })),
    // Rows that were removed are PostgreSQL's to clear away: by its vacuum, and in its log and backups in their time.
    scrub: async () => {},
    prune: (before) => prune(pool, before, () => closing),
    async [Symbol.asyncDispose]() {
      closing = true;
      await turns.idle();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
