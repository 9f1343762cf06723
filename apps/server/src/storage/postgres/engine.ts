import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { createRulesStore, type PrismaWrite } from "../access.prisma-store.js";
import { findRules } from "../access-reads.js";
import { createAccountsStore, createSignInStore } from "../accounts.prisma-store.js";
import { expiringTables } from "../expiring-tables.js";
import { createContextStore } from "../contexts.js";
import { createDataStore, sizesAtOnce } from "../data.js";
import { createOAuthStore } from "../oauth.prisma-store.js";
import { createRefilterStore } from "../refilter.js";
import { createUsageStore } from "../usage.js";
import type { Engine, Storage, StorageOptions } from "../engine.js";
import { PrismaClient } from "../generated/postgres/client.js";
import type { PrismaClient as SharedClient } from "../generated/sqlite/client.js";
import { withUnavailableErrors } from "../faults.js";
import { FairQueue } from "../../workers/fair-queue.js";
import { PerUserQueue } from "../../workers/per-user-queue.js";
import { createPostgresAccess } from "./access.js";
import { verifyErased } from "./erase.js";
import { createLiveStore } from "./live.js";
import { distributePostgres, inspectPostgres, migratePostgres } from "./migrate.js";
import { advisoryLocks, openPool, describeDatabase, statement, isConflict, isDuplicate, readTogether, retry } from "./pool.js";
import { createRateStore, dropPastBudgets } from "./rates.js";
import { createSearchStore } from "./search.js";
import { createSql, findForeign } from "./sql.js";
import { createUserDataStore } from "./user-data.js";

/** PostgreSQL: a database that many processes share, on one machine or, with Citus, on several. */
export function postgresEngine(databaseUrl: string): Engine {
  return {
    place: describeDatabase(databaseUrl),
    open: (options) => openPostgres(databaseUrl, options),
    migrate: (onStep) => migratePostgres(databaseUrl, undefined, onStep),
    inspect: () => inspectPostgres(databaseUrl),
    distribute: (onStep) => distributePostgres(databaseUrl, onStep),
  };
}

async function openPostgres(databaseUrl: string, options: StorageOptions): Promise<Storage> {
  const {
    searchTimeoutMs,
    databaseConnections: connectionsMax = 10,
    databaseTimeoutMs: statementTimeoutMs = 30_000,
    onSearchTimeout = () => {},
    rateClock = () => undefined,
  } = options;
  await migratePostgres(databaseUrl);
  const pool = openPool(databaseUrl, { connectionsMax, statementTimeoutMs });
  const prisma = openPrisma(pool);
  // Writes of one user go one by one, so that they take one connection: syncs, deletes, rules and refiltering. The sync service has a queue of
  // its own, in which a sync also reads; this one is for everything that writes.
  const queue = new PerUserQueue();
  const write = prismaWrite(prisma);
  // Reads take at most a third of the connections, and searches another third, so that two users who are busy leave some to all others.
  // While others wait, one user gets half of a third.
  const third = Math.max(2, Math.floor(connectionsMax / 3));
  const reads = new FairQueue(third);
  const sql = createSql({ pool, queue, reads });
  // Checks of keys and counts of budgets take at most half of the connections: many requests of one key wait for the same row.
  const admissions = new FairQueue(Math.ceil(connectionsMax / 2));
  const sqlOfAdmissions = createSql({ pool, queue, reads: admissions });
  const { replace: replaceRules } = createRulesStore(write);
  const rates = createRateStore(pool, rateClock);
  const search = { timeoutMs: searchTimeoutMs, onTimeout: onSearchTimeout, slots: third };
  const live = createLiveStore(pool, databaseUrl);
  let isClosing = false;

  const stores: Omit<Storage, keyof AsyncDisposable> = {
    live,
    contexts: createContextStore(sql, findForeign),
    data: createDataStore(sql, sizesAtOnce(sql)),
    userData: createUserDataStore({ pool, queue, live }),
    refilter: createRefilterStore(sql),
    search: createSearchStore(pool, search),
    access: createPostgresAccess({ pool, prisma, write, queue, sql: sqlOfAdmissions }),
    accounts: createAccountsStore(prisma, write, sqlOfAdmissions, {
      provider: "postgresql",
      lockSetupToken: (tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(${advisoryLocks.setupToken})::text`,
    }),
    oauth: createOAuthStore(prisma, write),
    signIns: createSignInStore(prisma, write),
    rules: {
      find: findRules(sqlOfAdmissions),
      replace: (...given) => queue.run(given[0], () => replaceRules(...given)),
    },
    usage: createUsageStore(sql),
    rates: {
      ...rates,
      take: (...given) => admissions.run(given[0], () => rates.take(...given)),
    },
    check: () => check(pool),
    verifyErased: verifyErased(pool),
    prune: (before) => prune(pool, { before, rateClock, isClosing: () => isClosing }),
    // PostgreSQL clears removed rows away itself: by its vacuum, and in its log and backups in their time.
    scrub: async () => {},
  };
  return {
    ...withUnavailableErrors(stores),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      await queue.idle();
      await live.idle();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

const spillToDisk = statement("SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)");
/** A temporary file of 8 MiB on the disk of the database. A small write to a table shows no full disk: it finds room in a page. */
const useDisk = statement(
  "WITH room AS MATERIALIZED (SELECT repeat(' ', 65536) FROM generate_series(1, 128)) SELECT count(*)::int FROM room",
);
/** The table is on every machine of a cluster: with one down, most users are still served. */
const readState = statement(
  `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS "isReadOnly", EXISTS (SELECT FROM api_keys)`,
);

/** Rejects when the database cannot be read or written. */
async function check(pool: pg.Pool): Promise<void> {
  const [state] = await readTogether(
    pool,
    [readState, spillToDisk, useDisk].map((each) => [each, []]),
  );
  if (state?.rows[0]?.isReadOnly) throw Object.assign(new Error("The server is read-only."), { code: "25006" });
}

/** How long a transaction may wait for a connection, and take, in milliseconds. */
const transactionOptions = { maxWait: 5_000, timeout: 60_000 };

function openPrisma(pool: pg.Pool): SharedClient {
  const client: unknown = new PrismaClient({ adapter: new PrismaPg(pool) });
  // The models are those of the embedded engine, which a test compares: shared code is written against that client.
  return client as SharedClient;
}

/** Transactions of a Prisma client. One that met another writer's row or lock runs again, and then sees it. */
function prismaWrite(prisma: SharedClient): PrismaWrite {
  return (userId, work) =>
    retry(
      () =>
        prisma.$transaction(async (tx) => {
          if (userId !== null) await tx.$queryRaw`SELECT 1 FROM users WHERE "userId" = ${userId} FOR NO KEY UPDATE`;
          return await work(tx);
        }, transactionOptions),
      (error) => isConflict(error) || isDuplicate(error),
    );
}

/** One DELETE covers records stored within this many milliseconds, so that it is short. */
const sliceMs = 60_000;

interface Pruning {
  before: number;
  rateClock: () => number | undefined;
  isClosing: () => boolean;
}

/** Drops replay records and tombstones stored before `before`, what of accounts expired before it, and budgets of past minutes, slice by slice, until none is left or `isClosing`. */
async function prune(pool: pg.Pool, { before, rateClock, isClosing }: Pruning): Promise<void> {
  const connection = await pool.connect();
  const dropOld = async (table: string, column: string) => {
    const oldest = `SELECT (extract(epoch FROM min("${column}")) * 1000)::float8 AS at FROM ${table}`;
    while (!isClosing()) {
      const { rows } = await connection.query<{ at: number | null }>(oldest);
      const at = rows[0]?.at ?? null;
      if (at === null || at >= before) return;
      const until = Math.min(at + sliceMs, before);
      await connection.query(`DELETE FROM ${table} WHERE "${column}" < to_timestamp($1::float8 / 1000)`, [until]);
    }
  };
  try {
    const { rows } = await connection.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${advisoryLocks.prune}) AS mine`);
    if (!rows[0]?.mine) return;
    try {
      for (const { table, time } of expiringTables) await dropOld(table, time);
      // Programs that nobody let in.
      await connection.query(
        `DELETE FROM auth_clients c WHERE "createdAt" < to_timestamp($1::float8 / 1000)
          AND NOT EXISTS (SELECT FROM auth_tokens t WHERE t."clientId" = c."clientId")`,
        [before],
      );
      await dropPastBudgets(connection, rateClock);
    } finally {
      await connection.query(`SELECT pg_advisory_unlock(${advisoryLocks.prune})`);
    }
  } finally {
    connection.release();
  }
}
