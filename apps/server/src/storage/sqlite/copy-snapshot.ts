import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { type CopiedRow, copiedRow, type CopiedTable } from "../copy/copied-tables.js";
import type { Snapshot } from "../copy/copy-ends.js";
import { placesOf, requireUpToDate } from "../copy/snapshot-checks.js";
import { appliedMigrations } from "./inspect-sqlite.js";
import { openForReading } from "./open-for-reading.js";

/** Rows and characters after which a part is given away. */
const partRows = 500;
const partChars = 1_000_000;

/** The database in `file` as it is now. Throws when there is none, or one that another version has written. */
export function openSqliteSnapshot(file: string): Snapshot {
  if (!existsSync(file)) throw new Error(`There is no database ${file}.`);
  const db = openForReading(file);
  try {
    db.exec("BEGIN");
    requireUpToDate("sqlite", file, appliedMigrations(db));
    return new SqliteSnapshot(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

class SqliteSnapshot implements Snapshot {
  readonly installation: string;

  constructor(private readonly db: Database.Database) {
    // Made by chance with the database, and copied with its file.
    this.installation = db.prepare<[], string>(`SELECT "id" FROM "_prisma_migrations" ORDER BY "migration_name", "id"`).pluck().get() ?? "";
  }

  async count({ name }: CopiedTable): Promise<number> {
    return this.#number(`SELECT count(*) FROM "${name}"`);
  }

  async *read(table: CopiedTable): AsyncGenerator<CopiedRow[]> {
    let part: CopiedRow[] = [];
    let chars = 0;
    for (const given of table.name === "contexts" ? this.#contexts() : this.#rows(table)) {
      const row = copiedRow(table, given);
      part.push(row);
      for (const value of Object.values(row)) if (typeof value === "string") chars += value.length;
      if (part.length < partRows && chars < partChars) continue;
      yield part;
      part = [];
      chars = 0;
    }
    if (part.length > 0) yield part;
  }

  async countIndexed(): Promise<number> {
    return placesOf(this.#number("SELECT count(*) FROM contexts"), [
      this.#number(
        `SELECT count(*) FROM contexts c JOIN search_vectors v ON v.seq = c.seq AND v.contextId = c.contextId AND v.capturedAt = c.capturedAt
         JOIN search_index_docsize d ON d.id = c.seq WHERE c.seq NOT IN (SELECT seq FROM search_pending)`,
      ),
      this.#number("SELECT count(*) FROM search_vectors"),
      this.#number("SELECT count(*) FROM search_index_docsize"),
    ]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.db.close();
  }

  #rows({ name, columns, key }: CopiedTable): Iterable<Record<string, unknown>> {
    const selected = Object.entries(columns).map(([column, kind]) =>
      kind === "place"
        ? `(SELECT count(*) FROM contexts c WHERE c.userId = t.userId AND c.seq <= t."${column}") AS "${column}"`
        : `t."${column}"`,
    );
    const order = key.map((column) => `t."${column}"`).join(", ");
    return this.db.prepare<[], Record<string, unknown>>(`SELECT ${selected.join(", ")} FROM "${name}" t ORDER BY ${order}`).iterate();
  }

  /** Only the numbers are sorted: the rows are wide. */
  *#contexts(): Iterable<Record<string, unknown>> {
    const row = this.db.prepare<[number], Record<string, unknown>>("SELECT * FROM contexts WHERE seq = ?");
    for (const seq of this.db.prepare<[], number>("SELECT seq FROM contexts ORDER BY userId, seq").pluck().iterate()) {
      const given = row.get(seq);
      if (given) yield given;
    }
  }

  #number(sql: string): number {
    return this.db.prepare<[], number>(sql).pluck().get() ?? 0;
  }
}
