import Database from "better-sqlite3";
import { searchDocument } from "../../search/search-document.js";
import { fromForeignRow, type RawRow } from "../context-row.js";
import { copiedTables, type CopiedRow, type CopiedTable, hasArrivals } from "../copy/copied-tables.js";
import type { CopyMark, CopyTarget, TargetState } from "../copy/copy-ends.js";
import { markTable } from "../copy/half-copied.js";
import { inserter } from "./inserter.js";
import { markOf, reading } from "./copy-mark.js";
import { hasTable } from "./has-table.js";
import { migrateSqlite } from "./migrate.js";
import { writerPragmas } from "./pragmas.js";
import { type IndexedContext, SearchIndex } from "./search-index.js";

/** A row as it is inserted. */
type Row = Record<string, unknown>;

/** The database in `file` as a target; the caller has claimed it. */
export function sqliteCopyTarget(file: string): CopyTarget {
  return new SqliteCopyTarget(file);
}

class SqliteCopyTarget implements CopyTarget {
  #writer: Writer | undefined;

  constructor(private readonly file: string) {}

  async state(): Promise<TargetState> {
    const mark = reading(this.file, markOf);
    if (mark) return { is: "begun", mark };
    const isTaken = reading(this.file, (db) =>
      copiedTables.some(({ name }) => hasTable(db, name) && db.prepare(`SELECT 1 FROM "${name}" LIMIT 1`).get() !== undefined),
    );
    return { is: isTaken ? "taken" : "empty" };
  }

  async begin(mark: CopyMark): Promise<void> {
    this.#open().begin(mark);
  }

  async write(table: CopiedTable, rows: readonly CopiedRow[], mark: CopyMark): Promise<void> {
    this.#open().write(table, rows, mark);
  }

  async finish(): Promise<void> {
    this.#open().finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#writer?.close();
  }

  #open(): Writer {
    if (!this.#writer) {
      migrateSqlite(this.file);
      this.#writer = new Writer(this.file);
    }
    return this.#writer;
  }
}

class Writer {
  readonly #db: Database.Database;
  readonly #inserters = new Map<string, (rows: readonly Row[]) => void>();
  readonly #index: SearchIndex;

  constructor(file: string) {
    this.#db = new Database(file);
    this.#db.exec(writerPragmas);
    this.#index = new SearchIndex(this.#db);
  }

  begin(mark: CopyMark): void {
    this.#transact(() => {
      this.#db.exec(`CREATE TABLE IF NOT EXISTS "${markTable}" ("id" INTEGER NOT NULL PRIMARY KEY, "mark" TEXT NOT NULL)`);
      for (const { name } of copiedTables) this.#db.exec(`DELETE FROM "${name}"`);
      this.#db.exec("DELETE FROM search_owners; DELETE FROM context_counts");
      this.#db.prepare(`INSERT OR REPLACE INTO "${markTable}" VALUES (1, ?)`).run(JSON.stringify(mark));
    });
  }

  write(table: CopiedTable, rows: readonly CopiedRow[], mark: CopyMark): void {
    const documents = table.name === "contexts" ? rows.map((row) => searchDocument(fromForeignRow(row as unknown as RawRow))) : [];
    this.#transact(() => {
      const first = hasArrivals(table) ? this.#lastArrival(table) + 1 : 0;
      this.#insert(
        table,
        rows.map((row, index) => this.#placed(table, row, first + index)),
      );
      for (const [userId, contexts] of Map.groupBy(
        documents.map((search, index) => ({ row: rows[index], seq: first + index, search })),
        ({ row }) => String(row?.["userId"]),
      ))
        this.#index.add(
          userId,
          contexts.map(({ row, seq, search }): IndexedContext => {
            return { seq, contextId: String(row?.["contextId"]), capturedAt: Number(row?.["capturedAt"]), search };
          }),
        );
      this.#db.prepare(`UPDATE "${markTable}" SET "mark" = ?`).run(JSON.stringify(mark));
    });
  }

  finish(): void {
    this.#db.exec(`DROP TABLE "${markTable}"`);
  }

  close(): void {
    this.#db.close();
  }

  #transact(work: () => void): void {
    this.#db.transaction(work).immediate();
  }

  #lastArrival({ name }: CopiedTable): number {
    return this.#db.prepare<[], number>(`SELECT coalesce(max(seq), 0) FROM "${name}"`).pluck().get() ?? 0;
  }

  #placed({ columns, key }: CopiedTable, row: CopiedRow, arrival: number): Row {
    if (key.at(-1) === "seq") return { ...row, seq: arrival };
    if (columns["seq"] !== "place") return row;
    const place = Number(row["seq"]);
    if (place === 0) return row;
    const nth = this.#db
      .prepare<[unknown, number], number>("SELECT seq FROM contexts WHERE userId = ? ORDER BY +seq LIMIT 1 OFFSET ?")
      .pluck();
    return { ...row, seq: nth.get(row["userId"], place - 1) };
  }

  #insert(table: CopiedTable, rows: readonly Row[]): void {
    let insert = this.#inserters.get(table.name);
    if (!insert) {
      insert = inserter<Row>(this.#db, table.name, [...Object.keys(table.columns), ...(hasArrivals(table) ? ["seq"] : [])]);
      this.#inserters.set(table.name, insert);
    }
    insert(rows);
  }
}
