import { createAccessStore } from "../access.prisma-store.js";
import { history } from "../history-query.js";
import { prune } from "../prune.js";
import { createRulesStore } from "../rules.prisma-store.js";
import { removeContext } from "../remove-context.js";
import type { Storage } from "../storage.js";
import { syncTransaction } from "../sync-transaction.js";
import { tellingGone } from "../telling-gone.js";
import { createApplyStore } from "./apply-store.js";
import { ContextCounts } from "./context-counts.js";
import { databaseGone } from "./database-gone.js";
import { connectForReads, HotReads } from "./hot-reads.js";
import { indexInBackground } from "./index-pending.js";
import { migrateSqlite } from "./migrate.js";
import { openPrisma } from "./open-prisma.js";
import { scrub } from "./scrub.js";
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
  onSearchTimeout?: () => void;
}

/** What closes the parts that are open so far. The class for this, `AsyncDisposableStack`, is missing in Node 22. */
type Closers = Array<() => void | PromiseLike<void>>;

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.splice(0).toReversed()) await close();
}

async function openAll(file: string, { searchTimeoutMs, onSearchTimeout }: SqliteOptions, closers: Closers): Promise<Storage> {
  const open = async (cacheMebibytes: number) => {
    const opened = await openPrisma(file, cacheMebibytes);
    closers.push(() => opened.prisma.$disconnect());
    return opened;
  };
  const writer = await open(4);
  const reader = await open(2);
  const search = createSqliteSearch({ file, timeoutMs: searchTimeoutMs, ...(onSearchTimeout && { onTimeout: onSearchTimeout }) });
  closers.push(() => search[Symbol.asyncDispose]());
  const connection = connectForReads(file);
  closers.push(() => void connection.close());
  const hot = new HotReads(connection);
  // The queue waits for other processes' writes itself, without holding up this one.
  writer.connection.pragma("busy_timeout = 0");
  const queue = new WriteQueue(writer.prisma);
  closers.push(() => queue.idle());
  const statements = syncStatements(writer.connection);
  const counts = new ContextCounts(connection, queue);
  const telling = tellingGone(databaseGone);
  let closing = false;
  const isClosing = () => closing;
  const indexing = indexInBackground(
    { reader: connection, writer: writer.connection, transact: (work) => queue.run(async () => work()) },
    isClosing,
  );
  closers.push(() => indexing);
  let scrubbing: Promise<void> = Promise.resolve();
  // A connection of its own that is closed after the writer's would leave a log behind.
  closers.push(() => scrubbing.catch(() => {}));
  // One at a time: the second finds next to nothing to do.
  const scrubOnce = ({ rebuild = false } = {}) =>
    (scrubbing = scrubbing.catch(() => {}).then(() => scrub({ file, queue, writer: writer.connection, isClosing, rebuild })));

  return {
    contexts: telling({
      current: async (scope, filter) => hot.current(scope, filter),
      find: async (scope, contextId) => hot.find(scope, contextId),
      history: (scope, filter) => counts.history(scope, filter, (...asked) => history(reader.prisma, ...asked)),
      remove: (userId, contextId, at) => queue.run((tx) => removeContext(tx, { userId, contextId }, at)),
    }),
    sync: telling({ transact: (userId, work) => queue.run((tx) => work(syncTransaction(tx, statements, userId))) }),
    search: telling({ search: (scope, request) => search.search(scope, request) }),
    access: telling({
      ...createAccessStore(reader.prisma, (_user, work) => queue.run(work)),
      findKey: async (keyId) => hot.findKey(keyId),
    }),
    rules: telling({ ...createRulesStore((_user, work) => queue.run(work)), find: async (userId) => hot.findRules(userId) }),
    apply: createApplyStore({ reader: connection, writer: writer.connection, queue, scrub: () => scrubOnce({ rebuild: true }) }),
    revision() {
      try {
        return hot.revision();
      } catch (error) {
        throw databaseGone(error) ?? error;
      }
    },
    ping: async () => hot.ping(),
    prune: (before) => prune((work) => queue.run(work), before, isClosing),
    scrub: scrubOnce,
    async [Symbol.asyncDispose]() {
      closing = true;
      await closeAll(closers);
    },
  };
}
