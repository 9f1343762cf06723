import { test } from "vitest";
import type { UserChanges } from "../src/contexts/context.store.js";
import type { Storage, StorageOptions } from "../src/storage/engine.js";
import { postgresEngine } from "../src/storage/postgres/engine.js";
import { PostgresDatabase } from "./postgres-database.js";
import { noChanges } from "./written-context.js";

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

/** Tests with `one` storage of their own. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
export const withPostgresStorage = test.extend("one", async ({}, { onCleanup }) => {
  const one = await openPostgresStorage();
  onCleanup(() => one[Symbol.asyncDispose]());
  return one;
});
