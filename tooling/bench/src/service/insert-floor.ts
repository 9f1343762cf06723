import Database from "better-sqlite3";
import type { LoadResult } from "../load/closed-loop.ts";
import { serveJobs } from "../load/job-process.ts";

/** How long to insert, and how many contexts a transaction takes. */
export interface InsertJob {
  seconds: number;
  perTransaction: number;
}

type Row = Record<string, unknown>;

const [file = ""] = process.argv.slice(2);

/** Different rows that are inserted, under new ids, over and over. */
const rowCount = 5_000;

/** What a sync cannot do without: the context's row, with all that its triggers write, and the record of its message. */
class InsertFloor {
  readonly #db: Database.Database;
  readonly #contexts: Row[];
  readonly #messages: Row[];
  readonly #insertContext: Database.Statement<[Row]>;
  readonly #insertMessage: Database.Statement<[Row]>;
  #number = 0;

  constructor(path: string) {
    this.#db = new Database(path);
    this.#db.pragma("journal_mode = WAL");
    this.#db.pragma("synchronous = FULL");
    this.#contexts = this.#rows("contexts");
    this.#messages = this.#rows("processed_messages");
    this.#insertContext = this.#insertInto("contexts", this.#contexts);
    this.#insertMessage = this.#insertInto("processed_messages", this.#messages);
  }

  /** Inserts for the asked time; a latency is that of a transaction. */
  run({ seconds, perTransaction }: InsertJob): LoadResult {
    const latencies: number[] = [];
    const transaction = this.#db.transaction(() => {
      for (let count = 0; count < perTransaction; count += 1) this.#insertOne();
    });
    const started = performance.now();
    for (let now = started; now < started + seconds * 1_000;) {
      transaction();
      const done = performance.now();
      latencies.push(done - now);
      now = done;
    }
    return {
      requests: latencies.length,
      seconds: (performance.now() - started) / 1_000,
      latencies: Float64Array.from(latencies),
      statuses: {},
    };
  }

  #insertOne(): void {
    const number = this.#number++;
    const context = this.#contexts[number % this.#contexts.length] ?? {};
    const message = this.#messages[number % this.#messages.length] ?? {};
    this.#insertContext.run({ ...context, contextId: `floor-${number}`, capturedAt: Date.now() });
    this.#insertMessage.run({ ...message, messageId: `floor-${number}`, processedAt: Date.now() });
  }

  #rows(table: string): Row[] {
    const columns = this.#columns(table).join();
    return this.#db.prepare<[number], Row>(`SELECT ${columns} FROM ${table} LIMIT ?`).all(rowCount);
  }

  #insertInto(table: string, rows: readonly Row[]): Database.Statement<[Row]> {
    if (rows.length === 0) throw new Error(`${table} is empty: seed the database first.`);
    const columns = this.#columns(table);
    return this.#db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map((column) => `@${column}`).join()})`);
  }

  /** All but the row number, which the database gives. */
  #columns(table: string): string[] {
    const columns = this.#db.pragma(`table_info(${table})`) as Array<{ name: string }>;
    return columns.map(({ name }) => name).filter((name) => name !== "seq");
  }
}

let floor: InsertFloor | undefined;
serveJobs((job: InsertJob) => (floor ??= new InsertFloor(file)).run(job));
