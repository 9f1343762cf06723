import { createAccessStore } from "../access.prisma-store.js";
import { history } from "../history-query.js";
import { removeContext } from "../remove-context.js";
import type { Storage } from "../storage.js";
import { syncTransaction } from "../sync-transaction.js";
import { databaseGone, tellingGone } from "./database-gone.js";
import { HotReads } from "./hot-reads.js";
import { migrateSqlite } from "./migrate.js";
import { openPrisma } from "./open-prisma.js";
import { createSqliteSearch } from "./search.js";
import { syncStatements } from "./sync-statements.js";
import { WriteQueue } from "./write-queue.js";

/** Opens the embedded database at `file`, bringing it up to date first. */
export async function openSqlite(file: string, { searchTimeoutMs }: { searchTimeoutMs: number }): Promise<Storage> {
  migrateSqlite(file);
  const [writer, reader] = await Promise.all([openPrisma(file, 4), openPrisma(file, 2)]);
  const hot = new HotReads(file);
  // The queue waits for other processes' writes itself, without holding up this one.
  writer.connection.pragma("busy_timeout = 0");
  const queue = new WriteQueue(writer.prisma);
  const statements = syncStatements(writer.connection);
  const search = createSqliteSearch({ file, timeoutMs: searchTimeoutMs });

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
    revision() {
      try {
        return hot.revision();
      } catch (error) {
        throw databaseGone(error) ?? error;
      }
    },
    ping: async () => hot.ping(),
    prune: (before) =>
      queue.run(async (tx) => {
        await tx.processedMessage.deleteMany({ where: { processedAt: { lt: new Date(before) } } });
        await tx.tombstone.deleteMany({ where: { storedAt: { lt: new Date(before) } } });
      }),
    async [Symbol.asyncDispose]() {
      await queue.idle();
      hot[Symbol.dispose]();
      await search[Symbol.asyncDispose]();
      await Promise.all([writer.prisma.$disconnect(), reader.prisma.$disconnect()]);
    },
  };
}
