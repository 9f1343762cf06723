import { searchDocument } from "../src/search/search-document.js";
import { contextFromRow, type ContextRow } from "../src/storage/context-columns.js";
import { ownerPrefix, toVector } from "../src/storage/postgres/search-lexemes.js";
import { binaryArray } from "../src/storage/postgres/context-statements.js";
import { withPauses } from "../src/workers/pause.js";
import type { TestDatabase } from "./test-database.js";

interface IndexRow {
  url: string;
  capturedAt: Date;
  stored: Buffer;
  /** Whether the terms are those given. */
  agrees: boolean;
}

/** Throws unless every context in a PostgreSQL database has the entry in the search index that its row makes, and nothing else has one. */
export async function checkPostgresIndex(database: Pick<TestDatabase, "rows">): Promise<void> {
  const contexts = await database.rows<ContextRow & { seq: string }>(`SELECT * FROM contexts ORDER BY "userId", seq`);
  const entries = await database.rows(`SELECT "userId", seq FROM search_terms ORDER BY "userId", seq`);
  if (JSON.stringify(entries) !== JSON.stringify(contexts.map(({ userId, seq }) => ({ userId, seq }))))
    throw new Error("search_terms has other rows than the contexts");
  for (const { seq, ...row } of contexts) {
    const context = contextFromRow(row);
    const document = searchDocument(context);
    const prefix = ownerPrefix(context.userId);
    const [found] = await database.rows<IndexRow>(
      `SELECT url, "capturedAt", stored,
         terms = (?::tsvector[])[1] || array_to_tsvector(ARRAY['${prefix}+' || (seq >> 10), '${prefix}-' || (seq >> 15)]) AS agrees
       FROM search_terms WHERE "userId" = ? AND seq = ?`,
      binaryArray("tsvector[]", [await withPauses(toVector(prefix, document), () => undefined)]),
      context.userId,
      seq,
    );
    if (!found?.agrees) throw new Error(`context ${context.contextId} is indexed by other words than its text makes`);
    const isSame = found.stored.equals(document.stored) && found.url === context.url.toLowerCase();
    if (!isSame || Number(found.capturedAt) !== context.capturedAt)
      throw new Error(`context ${context.contextId} has other stored terms or another URL than its row`);
  }
}
