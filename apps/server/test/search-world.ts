import { randomUUID } from "node:crypto";
import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { test } from "vitest";
import type { ReadBounds } from "../src/access/access.store.js";
import { storableText } from "../src/formats.js";
import type { SearchPage, SearchQuery } from "@periscope/schemas";
import type { StoredContext, WrittenContext } from "../src/contexts/context.store.js";
import { searchContexts } from "../src/search/search.service.js";
import { engineOf, type Storage } from "../src/storage/engine.js";
import type { ServerTasks } from "../src/worker.js";
import { WorkerPool } from "../src/workers/worker-pool.js";
import { createTestDatabase } from "./test-database.js";
import { noChanges, writtenContext } from "./written-context.js";

/** What a test says of a context; the rest has defaults. */
export type ContextRow = { [K in keyof StoredContext]?: StoredContext[K] | (StoredContext[K] extends string | null ? string : object) };

export const firstCapture = Date.UTC(2026, 0, 1);

/** A new user of a storage, and what is found of the user's contexts. */
export interface Searcher {
  userId: string;
  /** Sees all that the user has. */
  everything: ReadBounds;
  search(scope: ReadBounds, query: SearchQuery): Promise<SearchPage>;
  /** Stores contexts, each a second newer than the one before: the user's own, or of another user that they name. */
  add(...rows: ContextRow[]): Promise<void>;
  /** Ids that a query finds, best first. */
  find(query: string, userId?: string): Promise<string[]>;
}

/**
 * A database of the engine that the tests run on, for the search tests of a file; gone at the end of the block.
 * @param databaseUrl another database, which the caller made and removes
 */
export async function openSearchWorld(databaseUrl?: string) {
  const directory = mkdtempDisposableSync(join(scratchFolder(), "periscope-search-"));
  const database = databaseUrl === undefined ? await createTestDatabase(directory.path) : undefined;
  const workers = new WorkerPool<ServerTasks>(2);
  const storage = await engineOf(databaseUrl ?? database?.url ?? "").open({ searchTimeoutMs: 60_000, workers });
  return {
    newUser: () => searcherOf(storage, `usr_${randomUUID()}`),
    async [Symbol.asyncDispose]() {
      await workers[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
      directory.remove();
    },
  };
}

function searcherOf(storage: Storage, own: string): Searcher {
  const search: Searcher["search"] = (scope, query) => searchContexts({ stores: storage }, scope, query);
  let added = 0;
  const contextOf = ({ contextId, title = "", content = "", ...row }: ContextRow): WrittenContext => {
    const texts = { title: storableText(title), content: storableText(content) };
    const place = ++added;
    return writtenContext(own, contextId ?? `c${place}`, { capturedAt: firstCapture + place * 1000, ...row, ...texts });
  };
  return {
    userId: own,
    everything: { userId: own, maxPrivacyLevel: "restricted" },
    search,
    async add(...rows) {
      for (const [userId, created] of Map.groupBy(rows.map(contextOf), (context) => context.userId)) await store(storage, userId, created);
    },
    async find(query, userId = own) {
      const { results } = await search({ userId, maxPrivacyLevel: "restricted" }, { query, limit: 1000, offset: 0 });
      return results.map(({ contextId }) => contextId);
    },
  };
}

async function store({ access, userData }: Storage, userId: string, created: readonly WrittenContext[]): Promise<void> {
  await access.createUser(userId, firstCapture);
  for (;;) {
    const state = await userData.load(userId, { messages: [], contextIds: [] });
    if (!state) throw new Error(`there is no user ${userId}`);
    if (await userData.commit(userId, { ...noChanges, created, revision: state.revision })) return;
  }
}

/** Tests with a `fixture`: a new user in a database that all of a file share. */
export const withSearcher = test
  // oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
  .extend("world", { scope: "file" }, async ({}, { onCleanup }) => {
    const world = await openSearchWorld();
    onCleanup(() => world[Symbol.asyncDispose]());
    return world;
  })
  .extend("fixture", ({ world }) => world.newUser());
