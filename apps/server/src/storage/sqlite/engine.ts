import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type Database from "better-sqlite3";
import { setTimeout as wait } from "node:timers/promises";
import { createAccountsStore, createSignInStore } from "../accounts.prisma-store.js";
import { createOAuthStore } from "../oauth.prisma-store.js";
import { createAccessStore, createRulesStore, type PrismaWrite } from "../access.prisma-store.js";
import { createAccessReads, findRules, hasAnybody } from "../access-reads.js";
import { createContextStore } from "../contexts.js";
import { createDataStore, sizesInSlices } from "../data.js";
import { createRefilterStore } from "../refilter.js";
import { createUsageStore } from "../usage.js";
import type { Engine, Storage, StorageOptions } from "../engine.js";
import { type Prisma, PrismaClient } from "../generated/sqlite/client.js";
import { FairQueue } from "../../workers/fair-queue.js";
import { PerUserQueue } from "../../workers/per-user-queue.js";
import { type StoreHooks, withUnavailableErrors } from "../faults.js";
import { backupSqlite, restoreSqlite } from "./backup.js";
import { busyTimeoutMs, cachePragma, isBusy, lockRetryMs, openReader, openWriter, writerPragmas } from "./connection.js";
import { SearchedFiles, verifyErased } from "./erase.js";
import { closeToOthers, DatabaseHealth } from "./health.js";
import { createLiveStore } from "./live.js";
import { deleteMostOfUser, pruneRecords, scrub } from "./maintenance.js";
import { inspectSqlite, migrateSqlite } from "./migrate.js";
import { createSqliteSearch } from "./search.js";
import { createSql } from "./sql.js";
import { createUserDataStore } from "./user-data.js";
import { SqliteWriter } from "./writer.js";

/** Each user's keys are looked up, where a search by the id alone would read all contexts. */
const findForeign = `SELECT 1 FROM users u WHERE u."userId" <> $2
  AND EXISTS (SELECT 1 FROM contexts c WHERE c."userId" = u."userId" AND c."contextId" = $1) LIMIT 1`;

/** Milliseconds that a transaction through Prisma may wait and take. */
const transactionOptions = { maxWait: 60_000, timeout: 60_000 };

/** The embedded engine and the database in the file whose literal path follows `file:`, as the configuration writes it. */
export function sqliteEngine(databaseUrl: string): Engine {
  const file = databaseUrl.slice("file:".length);
  return {
    place: file,
    file,
    async open(options) {
      const readable = closeToOthers(file);
      if (readable.length > 0) options.onReadableByOthers?.(readable);
      migrateSqlite(file);
      const closers: Closer[] = [];
      const close = async () => {
        for (const closer of closers.splice(0).toReversed()) await closer();
      };
      try {
        return { ...(await openStorage(file, options, closers)), [Symbol.asyncDispose]: close };
      } catch (error) {
        await close();
        throw error;
      }
    },
    migrate: async (onStep) => migrateSqlite(file, undefined, onStep),
    inspect: async (how) => inspectSqlite(file, how),
    backup: (target, onStep) => backupSqlite(file, target, onStep),
    restore: (backup, onStep) => restoreSqlite(backup, file, onStep),
  };
}

/**
 * Runs work in a transaction that has the write lock from its start: one that reads first fails when another process writes meanwhile.
 * While another connection has the lock, this waits without holding up the process.
 */
async function writeWhenFree<T>(prisma: PrismaClient, work: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> {
  for (const until = performance.now() + busyTimeoutMs; ; await wait(lockRetryMs)) {
    try {
      return await prisma.$transaction(async (tx) => {
        await tx.$executeRaw`UPDATE users SET revision = revision WHERE FALSE`;
        return await work(tx);
      }, transactionOptions);
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
    }
  }
}

/** Closes a part that is open. The class for lists of these, `AsyncDisposableStack`, is missing in Node 22. */
type Closer = () => void | PromiseLike<void>;

async function openStorage(file: string, options: StorageOptions, closers: Closer[]): Promise<Omit<Storage, keyof AsyncDisposable>> {
  const keep = <Connection extends Database.Database>(db: Connection): Connection => {
    closers.push(() => void db.close());
    return db;
  };
  // Closed after every connection.
  const files = new SearchedFiles(file);
  closers.push(() => files[Symbol.dispose]());
  const writerDb = keep(openWriter(file, { waits: false }));
  const reader = keep(openReader(file));
  const prisma = openPrisma(file);
  closers.push(() => prisma.$disconnect());
  const health = new DatabaseHealth(file);
  const hooks: StoreHooks = { verify: () => health.verifyFiles(), onFault: (failure) => health.noteFault(failure) };
  const writer = new SqliteWriter(writerDb, () => health.verifyWritable());
  // Of one user one deletion, or one write through Prisma, waits for the writer, so that other users' writes run in between.
  const userWrites = new PerUserQueue();
  closers.push(async () => {
    await userWrites.idle();
    await writer.idle();
  });
  const closing = new AbortController();
  // One at a time: the second finds next to nothing to do.
  let scrubbing: Promise<void> = Promise.resolve();
  // A connection of its own that is closed after the writer's would leave a log behind.
  closers.push(() => {
    closing.abort();
    return scrubbing.catch(() => {});
  });

  const { searchTimeoutMs: timeoutMs, onSearchTimeout: onTimeout = () => {}, workers } = options;
  const write: PrismaWrite = (userId, work) => userWrites.run(userId ?? "", () => writer.exclusive(() => writeWhenFree(prisma, work)));
  const sql = createSql({ reader, writerDb, writer, turns: new FairQueue(2) });
  // What admits requests is small, and waits for nobody's reads.
  const sqlAtOnce = createSql({ reader, writerDb, writer });
  const access = createAccessStore(prisma, write, { hasAnybody: () => hasAnybody(sqlAtOnce) });
  const live = createLiveStore(reader);
  const { replace: replaceRules } = createRulesStore(write);
  const recording = { reader, writerDb, writer, live };

  const maintained = { file, writerDb, writer, closing: closing.signal, hasThreads: workers !== undefined };
  const clean = (how?: { rebuild?: boolean }) => (scrubbing = scrubbing.catch(() => {}).then(() => scrub(maintained, how)));

  const stores: Omit<Storage, keyof AsyncDisposable> = {
    live,
    contexts: createContextStore(sql, findForeign),
    data: createDataStore(sql, sizesInSlices(sql)),
    userData: createUserDataStore(recording),
    refilter: createRefilterStore(sql),
    search: createSqliteSearch({ file, workers, timeoutMs, onTimeout }),
    access: {
      ...access,
      ...createAccessReads(sqlAtOnce),
      async touchKey({ userId, keyId }, at) {
        await sqlAtOnce.write(userId, `UPDATE api_keys SET "lastUsedAt" = $2 WHERE "keyId" = $1`, [keyId, at]);
      },
      async deleteUser(userId, how = {}) {
        await deleteMostOfUser(maintained, userId, how);
        return await access.deleteUser(userId);
      },
    },
    accounts: createAccountsStore(prisma, write, sqlAtOnce, { provider: "sqlite", hooks }),
    oauth: createOAuthStore(prisma, write),
    signIns: createSignInStore(prisma, write),
    rules: {
      async replace(userId, rules, at) {
        const replaced = await replaceRules(userId, rules, at);
        if (replaced) live.record(userId, replaced.revision, [], at);
        return replaced;
      },
      find: findRules(sqlAtOnce),
    },
    usage: createUsageStore(sql),
    check: () => health.check(writerDb, writer),
    verifyErased: verifyErased({ file, files, workers, scrub: clean }),
    prune: (before) => pruneRecords(writerDb, writer, before, closing.signal),
    scrub: clean,
  };
  return withUnavailableErrors(stores, hooks);
}

/**
 * A Prisma client with a connection of its own, whose statements do not wait for another connection's write. It connects, and takes
 * 12 MB, when it is used first: a server that only syncs and reads never does.
 */
function openPrisma(file: string): PrismaClient {
  class Adapter extends PrismaBetterSqlite3 {
    override async connect() {
      const adapter = await super.connect();
      await adapter.executeScript(`${writerPragmas + cachePragma(2)}PRAGMA busy_timeout = 0;`);
      return adapter;
    }
  }
  return new PrismaClient({ adapter: new Adapter({ url: `file:${file}` }, { timestampFormat: "unixepoch-ms" }) });
}
