import type pg from "pg";
import type { Prisma } from "../generated/sqlite/client.js";
import { rowsOf, type Statement } from "./pool.js";

/** How long what was read is believed, in milliseconds; then it is read again while requests go on. */
const freshMs = 1_000;
/** Past this it is not believed at all: keys are read again one by one. A revoked key is refused after less than 5 seconds. */
const staleMs = 3_000;

const readCount: Statement = { name: "access_changes", text: `SELECT count FROM access_changes WHERE id = 1` };

/** Has to run in every transaction that takes keys or users away. */
export function countAccessChange(tx: Prisma.TransactionClient): Promise<number> {
  return tx.$executeRaw`UPDATE access_changes SET count = count + 1 WHERE id = 1`;
}

/** Tells whether another process may have taken keys or users away, from a look at the database every second in which anybody asks. */
export class AccessChanges {
  readonly #pool: pg.Pool;
  #revision = 0;
  #count: string | undefined;
  #readAt = -Infinity;
  #reading = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Another number whenever keys that are known may be known wrongly. Never waits. */
  revision(): number {
    const age = performance.now() - this.#readAt;
    if (age > freshMs && !this.#reading) void this.#read();
    // Nothing has been heard for too long: after a quiet time, or because the database does not answer.
    return age > staleMs ? ++this.#revision : this.#revision;
  }

  async #read(): Promise<void> {
    this.#reading = true;
    const askedAt = performance.now();
    try {
      const [row] = await rowsOf<{ count: string }>(this.#pool, readCount, []);
      if (row?.count !== this.#count) this.#revision++;
      this.#count = row?.count;
      this.#readAt = askedAt;
    } catch {
      // What is believed grows stale, and then every key is asked for, which says what is wrong.
    } finally {
      this.#reading = false;
    }
  }
}
