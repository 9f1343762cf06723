import { createAccessStore } from "../access.prisma-store.js";
import { history } from "../history-query.js";
import { prune } from "../prune.js";
import { createRulesStore } from "../rules.prisma-store.js";
import { removeContext } from "../remove-context.js";
import type { Storage } from "../storage.js";
import { syncTransaction } from "../sync-transaction.js";
import { databaseGone, tellingGone } from "./database-gone.js";
import { connectForReads, HotReads } from "./hot-reads.js";
import { indexInBackground } from "./index-pending.js";
import { migrateSqlite } from "./migrate.js";
import { openPrisma } from "./open-prisma.js";
import { createSqliteSearch } from "./search.js";
import { syncStatements } from "./sync-statements.js";
import { WriteQueue } from "./write-queue.js";

/** Opens the embedded database at `file`, bringing it up to date first. */
export async function openSqlite(file: string, options: SqliteOptions): Promise<Storage> {
  migrateSqlite(file);
  const closers: Closers = [];
  try {
    return await openAll(file, options, closers);
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

interface SqliteOptions {
  searchTimeoutMs: number;
}

/** What closes the parts that are open so far. The class for this, `AsyncDisposableStack`, is missing in Node 22. */
type Closers = Array<() => void | PromiseLike<void>>;

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

async function openAll(file: string, { searchTimeoutMs }: SqliteOptions, closers: Closers): Promise<Storage> {
  const open = async (cacheMebibytes: number) => {
    const opened = await openPrisma(file, cacheMebibytes);
    closers.push(() => opened.prisma.$disconnect());
    return opened;
  };
  const writer = await open(4);
  const reader = await open(2);
  const search = createSqliteSearch({ file, timeoutMs: searchTimeoutMs });
  closers.push(() => search[Symbol.asyncDispose]());
  const connection = connectForReads(file);
  closers.push(() => void connection.close());
  const hot = new HotReads(connection);
  // The queue waits for other processes' writes itself, without holding up this one.
  writer.connection.pragma("busy_timeout = 0");
  const queue = new WriteQueue(writer.prisma);
  closers.push(() => queue.idle());
  const statements = syncStatements(writer.connection);
  let closing = false;
  const indexing = indexInBackground(
    { reader: connection, writer: writer.connection, transact: (work) => queue.run(async () => work()) },
    () => closing,
  );
  closers.push(() => indexing);

  return {
    contexts: tellingGone({
      current: async (scope, filter) => hot.current(scope, filter),
      find: async (scope, contextId) => hot.find(scope, contextId),
      history: (scope, filter) => history(reader.prisma, scope, filter),
      remove: (userId, contextId, at) => queue.run((tx) => removeContext(tx, { userId, contextId }, at)),
    }),
    sync: tellingGone({ transact: (userId, work) => queue.run((tx) => work(syncTransaction(tx, statements, userId))) }),
    search: tellingGone({ search: (scope, request) => search.search(scope, request) }),
    access: tellingGone({ ...createAccessStore(reader.prisma, (work) => queue.run(work)), findKey: async (keyId) => hot.findKey(keyId) }),
    rules: tellingGone({ ...createRulesStore((work) => queue.run(work)), find: async (userId) => hot.findRules(userId) }),
    revision() {
      try {
        return hot.revision();
      } catch (error) {
        throw databaseGone(error) ?? error;
      }
    },
    ping: async () => hot.ping(),
    prune: (before) =>
      prune(
        (work) => queue.run(work),
        before,
        () => closing,
      ),
    async [Symbol.asyncDispose]() {
      closing = true;
      await closeAll(closers);
    },
  };
}
