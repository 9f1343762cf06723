import type { Database, Statement } from "better-sqlite3";
import { setImmediate as soon } from "node:timers/promises";
import type { FairQueue } from "../../workers/fair-queue.js";
import type { Sql } from "../sql.js";
import type { SqliteWriter } from "./writer.js";

/** What this engine's SQL has of its own. */
export const dialect = {
  millis: (time) => time,
  time: (value) => value,
  isIn: (text, list) => `${text} IN (SELECT value FROM json_each(${list}))`,
  list: (texts) => JSON.stringify(texts),
  records(json, columns) {
    const fields = Object.keys(columns).map((name) => `value ->> '${name}' AS "${name}"`);
    return `(SELECT ${fields.join(", ")} FROM json_each(${json})) AS r`;
  },
  unindexed: (column) => `+${column}`,
} satisfies Omit<Sql, "read" | "write">;

interface SqlOptions {
  reader: Database;
  writerDb: Database;
  writer: SqliteWriter;
  /** Where reads of users have their turns. Without it, they are read at once. */
  turns?: FairQueue;
}

export function createSql({ reader, writerDb, writer, turns }: SqlOptions): Sql {
  const [toRead, toWrite] = [preparer(reader), preparer(writerDb)];
  return {
    ...dialect,
    async read<Row>(userId: string, text: string, values: readonly unknown[]) {
      const read = () => toRead(text).all(byPlace(values)) as Row[];
      if (!turns) return read();
      return await turns.run(userId, async () => {
        const rows = read();
        // Others have their turn after each read: what many requests of one user read can be large.
        await soon();
        return rows;
      });
    },
    write: (_, text, values) => writer.run(() => toWrite(text).run(byPlace(values)).changes),
  };
}

/** Prepares each statement once. The texts differ by their conditions only, of which there are few. */
function preparer(db: Database): (text: string) => Statement<[object]> {
  const statements = new Map<string, Statement<[object]>>();
  return (text) => {
    const statement = statements.get(text) ?? db.prepare<[object]>(text);
    statements.set(text, statement);
    return statement;
  };
}

/** Values under the names of their places: to SQLite, `$1` is a name. */
function byPlace(values: readonly unknown[]): object {
  const named: Record<number, unknown> = {};
  for (let index = 0; index < values.length; index++) named[index + 1] = values[index];
  return named;
}
