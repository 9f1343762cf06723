import { searchDocument } from "../src/search/search-document.js";
import { fromRow, type RawRow } from "../src/storage/context-row.js";
import { ownerPrefix, vectorText } from "../src/storage/postgres/search-lexemes.js";
import type { TestDatabase } from "./test-database.js";

interface IndexRow {
  url: string;
  capturedAt: Date;
  contextId: string;
  vector: Buffer;
  pairs: Buffer | null;
  /** Whether the terms are those given. */
  agrees: boolean;
}

/** Whether every context in a PostgreSQL database has the place in the search index that its row makes, and nothing else has one; throws when not. */
export async function checkPostgresIndex(database: Pick<TestDatabase, "rows">): Promise<void> {
  const contexts = await database.rows<RawRow & { seq: string }>(`SELECT * FROM contexts ORDER BY "userId", seq`);
  const places = (table: string) =>
    database.rows<{ userId: string; seq: string }>(`SELECT "userId", seq FROM ${table} ORDER BY "userId", seq`);
  const wanted = JSON.stringify(contexts.map(({ userId, seq }) => ({ userId, seq })));
  for (const table of ["search_terms", "search_vectors"])
    if (JSON.stringify(await places(table)) !== wanted) throw new Error(`${table} has other rows than the contexts`);
  for (const row of contexts) {
    const { terms, vector, pairs } = searchDocument(fromRow(row));
    const prefix = ownerPrefix(row.userId);
    const seq = Number(row.seq);
    const all = `${vectorText(prefix, terms)} '${prefix}$${seq}' '${prefix}+${seq >> 11}' '${prefix}-${seq >> 16}'`;
    const [found] = await database.rows<IndexRow>(
      `SELECT t.url, t."capturedAt", v."contextId", v.vector, t.pairs, t.terms::tsvector = ?::tsvector AS agrees
       FROM search_terms t JOIN search_vectors v USING ("userId", seq, "capturedAt") WHERE t."userId" = ? AND seq = ?`,
      all,
      row.userId,
      seq,
    );
    if (!found?.agrees) throw new Error(`context ${row.contextId} is indexed by other words than its text makes`);
    if (Buffer.compare(found.pairs ?? Buffer.of(), pairs ?? Buffer.of()) !== 0)
      throw new Error(`context ${row.contextId} has another filter of pairs than its text makes`);
    const isSame = found.vector.equals(vector) && found.contextId === row.contextId && found.url === row.url.toLowerCase();
    if (!isSame || Number(found.capturedAt) !== Number(row.capturedAt))
      throw new Error(`context ${row.contextId} has another vector or URL`);
  }
}
