import type { StoredContext, UserChanges, WrittenContext } from "../src/contexts/context.store.js";
import { searchDocument } from "../src/search/search-document.js";
import type { Storage, StorageOptions } from "../src/storage/engine.js";
import { postgresEngine } from "../src/storage/postgres/engine.js";
import { PostgresDatabase } from "./postgres-database.js";

/** A storage on a PostgreSQL database of its own, gone at the end of the block: hold it with `await using`. */
export interface PostgresStorage extends AsyncDisposable {
  database: PostgresDatabase;
  storage: Storage;
  /** Writes changes on top of what is there. */
  write(userId: string, changes: Partial<UserChanges>): Promise<void>;
}

export async function openPostgresStorage(options: Partial<StorageOptions> = {}): Promise<PostgresStorage> {
  const database = await PostgresDatabase.create();
  const storage = await postgresEngine(database.url).open({ searchTimeoutMs: 60_000, databaseConnections: 4, ...options });
  return {
    database,
    storage,
    async write(userId, changes) {
      await storage.access.createUser(userId, 1_000);
      const state = await storage.userData.load(userId, { messages: [], contextIds: [] });
      if (!state || !(await storage.userData.commit(userId, { ...noChanges, ...changes, revision: state.revision })))
        throw new Error("The changes were refused.");
    },
    async [Symbol.asyncDispose]() {
      await storage[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

export const noChanges: Omit<UserChanges, "revision"> = {
  now: 2_000,
  policy: "p",
  created: [],
  replaced: [],
  viewed: [],
  removed: [],
  revived: [],
  processed: [],
  extensions: [],
  errors: [],
};

/** A context with its entry in the search index; what a test does not say has defaults. */
export function writtenContext(
  userId: string,
  contextId: string,
  given: Partial<Record<keyof StoredContext, unknown>> = {},
): WrittenContext {
  const context = {
    userId,
    contextId,
    type: "page",
    tabId: "t",
    extensionId: "e",
    capturedAt: 1_000,
    privacyLevel: "private",
    writtenAt: 1_000,
    viewedAt: null,
    lastSeenAt: null,
    contentFormat: "text",
    url: `https://site.test/${contextId}`,
    title: "",
    tabMetadata: {},
    metadata: {},
    plainText: null,
    content: "",
    ...given,
  } as StoredContext;
  return { ...context, search: searchDocument(context) };
}
