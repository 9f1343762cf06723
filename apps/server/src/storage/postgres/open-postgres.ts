import type pg from "pg";
import { createAccessStore } from "../access.prisma-store.js";
import { createRulesStore } from "../rules.prisma-store.js";
import type { RateClock } from "../../rates/rate.store.js";
import type { ReplicaOptions } from "../replica-options.js";
import type { Storage } from "../storage.js";
import { tellingGone } from "../telling-gone.js";
import { AccessChanges, countAccessChange } from "./access-changes.js";
import { createApplyStore } from "./apply-store.js";
import { CountKeeper } from "./context-counts.js";
import { createContextStore } from "./context-store.js";
import { refuseHalfCopied } from "./copy-mark.js";
import { databaseGone } from "./database-gone.js";
import { deleteBeside, deleteInParts } from "./delete-user.js";
import { hotAccess } from "./hot-access.js";
import { advisoryLocks } from "./locks.js";
import { migratePostgres } from "./migrate.js";
import { openPrisma, writeOfUser } from "./open-prisma.js";
import { openPool, type PoolOptions } from "./pool.js";
import { prune } from "./prune.js";
import { createRateStore } from "./rate-store.js";
import { Replicas } from "./replicas/replicas.js";
import { withReplicas } from "./replicas/with-replicas.js";
import { createPostgresSearch } from "./search.js";
import { createSyncStore } from "./sync-store.js";
import { UserTurns } from "./user-turns.js";

interface PostgresOptions extends PoolOptions {
  searchTimeoutMs: number;
  onSearchTimeout?: () => void;
  replicas?: ReplicaOptions;
  rateClock?: RateClock | undefined;
}

/** Opens the PostgreSQL database that the URL names, bringing it up to date first. */
export async function openPostgres(databaseUrl: string, options: PostgresOptions): Promise<Storage> {
  await migratePostgres(databaseUrl);
  const pool = openPool(databaseUrl, options);
  const replicas = await openReplicas(databaseUrl, pool, options).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const prisma = openPrisma(pool);
  const turns = new UserTurns();
  const counts = new CountKeeper(pool, turns);
  const { findRules, touchKey, withUses } = hotAccess(pool);
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
  const readsOf = (connections: pg.Pool) => ({
    contexts: createContextStore(connections, turns, counts),
    search: createPostgresSearch(connections, { timeoutMs, onTimeout, slots: Math.ceil(options.connectionsMax / 2) }),
    findKey: hotAccess(connections).findKey,
    // Of a table that is near: with one machine of a cluster down, most users are served still.
    ping: async () => void (await connections.query({ name: "ping", text: "SELECT 1 FROM access_changes" })),
  });
  const primary = { ...readsOf(pool), sync: createSyncStore(pool, turns), rates: createRateStore(pool, rateClock) };
  const { contexts, sync, search, findKey, rates, ping } = replicas ? withReplicas(primary, replicas, readsOf, rateClock) : primary;
  const telling = tellingGone(databaseGone);
  let closing = false;

  return {
    contexts: telling(contexts),
    sync: telling(sync),
    search: telling(search),
    access: telling({
      ...access,
      findKey,
      touchKey,
      listKeys: async (userId) => await withUses(await access.listKeys(userId), userId),
      deleteUser: (userId: string) => deleteInParts({ pool, turns, userId }, () => access.deleteUser(userId)),
    }),
    rules: telling({ ...createRulesStore(write), find: findRules }),
    apply: createApplyStore(pool, turns),
    rates: telling(rates),
    // The sum of two that only grow: another number when either changes.
    revision: () => changes.revision() + (replicas?.outages ?? 0),
    ping,
    // Rows that were removed are PostgreSQL's to clear away: by its vacuum, and in its log and backups in their time.
    scrub: async () => {},
    prune: (before) => prune(pool, before, () => closing),
    async [Symbol.asyncDispose]() {
      closing = true;
      await turns.idle();
      await prisma.$disconnect();
      await replicas?.close();
      await pool.end();
    },
  };
}

/** The replicas, where there are any, once it is known that the database may be used. */
async function openReplicas(databaseUrl: string, pool: pg.Pool, options: PostgresOptions): Promise<Replicas | undefined> {
  await refuseHalfCopied(pool);
  return options.replicas?.urls.length ? await Replicas.open(databaseUrl, options.replicas, options) : undefined;
}
