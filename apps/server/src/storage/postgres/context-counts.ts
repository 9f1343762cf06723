import type pg from "pg";
import type { StoredContext } from "../../contexts/context.store.js";
import { contextGroups } from "../context-groups.js";
import { rowsOf, type Statement } from "./pool.js";
import { lockUser } from "./sync-statements.js";
import { transact } from "./transaction.js";
import type { UserTurns } from "./user-turns.js";

/**
 * Age at which counts are made anew. Whoever writes keeps them right; but a server of before there were counts, which goes on while others
 * have been brought up to date, does not know of them.
 */
export const recountedAfter = "1 day";

/** After how long a user is counted again at the soonest, in milliseconds: what a replica has not got yet need not be counted twice. */
const againMs = 60_000;
const usersMax = 1_000;

/** Takes contexts of a user out of the counts; to be run while they are there as they were counted. Without effect where none are kept. */
export const takeFromCounts: Statement = {
  name: "take_from_counts",
  text: `UPDATE context_counts n SET contexts = n.contexts - g.contexts
    FROM (SELECT type, "privacyLevel", count(*) AS contexts FROM contexts WHERE "userId" = $1 AND "contextId" = ANY ($2::text[]) GROUP BY 1, 2) g
    WHERE n."userId" = $1 AND n.type = g.type AND n."privacyLevel" = g."privacyLevel"`,
};

/** Adds contexts of a user to the counts, with the values of {@link addedToCounts}. Without effect where none are kept. */
export const addToCounts: Statement = {
  name: "add_to_counts",
  text: `UPDATE context_counts n SET contexts = n.contexts + g.contexts::bigint
    FROM unnest($2::text[], $3::text[], $4::float8[]) AS g(type, "privacyLevel", contexts)
    WHERE n."userId" = $1 AND n.type = g.type AND n."privacyLevel" = g."privacyLevel"`,
};

/** Values of {@link addToCounts}. */
export function addedToCounts(userId: string, contexts: ReadonlyArray<Pick<StoredContext, "type" | "privacyLevel">>): unknown[] {
  const groups = [...Map.groupBy(contexts, ({ type, privacyLevel }) => `${type} ${privacyLevel}`).values()];
  const of = (column: "type" | "privacyLevel") => groups.map(([first]) => first?.[column]);
  return [userId, of("type"), of("privacyLevel"), groups.map(({ length }) => length)];
}

const countGroups: Statement = {
  name: "count_groups",
  text: `SELECT type, "privacyLevel", count(*)::float8 AS contexts FROM contexts WHERE "userId" = $1 GROUP BY type, "privacyLevel"`,
};

/** Rows of the user's row, as in the statements of a sync: a cluster makes them on their shard. */
const writeCounts: Statement = {
  name: "write_counts",
  text: `INSERT INTO context_counts ("userId", type, "privacyLevel", contexts, "countedAt")
    SELECT u."userId", r.type, r."privacyLevel", r.contexts::bigint, now()
    FROM users u, unnest($2::text[], $3::text[], $4::float8[]) AS r(type, "privacyLevel", contexts) WHERE u."userId" = $1
    ON CONFLICT ("userId", type, "privacyLevel") DO UPDATE SET contexts = excluded.contexts, "countedAt" = excluded."countedAt"`,
};

class UserGone extends Error {}

/** Counts the contexts of users who have many, by type and level; from then on every writer keeps the counts. */
export class CountKeeper {
  readonly #pool: pg.Pool;
  readonly #turns: UserTurns;
  /** When users were counted last, by this process's clock. */
  readonly #begun = new Map<string, number>();

  /** @param pool connections to the primary */
  constructor(pool: pg.Pool, turns: UserTurns) {
    this.#pool = pool;
    this.#turns = turns;
  }

  /** Counts a user's contexts, for whoever asks next. */
  begin(userId: string): void {
    const now = performance.now();
    if (now - (this.#begun.get(userId) ?? -Infinity) < againMs) return;
    if (this.#begun.size >= usersMax) this.#begun.clear();
    this.#begun.set(userId, now);
    // Without it the next page is counted as this one was.
    this.#turns.take(userId, () => this.#count(userId)).catch(() => {});
  }

  /** Under the user's lock: no other writer is between what is counted and what is written. */
  async #count(userId: string): Promise<void> {
    const check = (found: boolean) => {
      if (!found) throw new UserGone();
    };
    await transact(this.#pool, { statement: lockUser, values: [userId], check }, async ({ connection, send }) => {
      const rows = await rowsOf<{ type: string; privacyLevel: string; contexts: number }>(connection, countGroups, [userId]);
      const counts = new Map(rows.map(({ type, privacyLevel, contexts }) => [`${type} ${privacyLevel}`, contexts]));
      const values = [
        contextGroups.map(({ type }) => type),
        contextGroups.map(({ privacyLevel }) => privacyLevel),
        contextGroups.map(({ type, privacyLevel }) => counts.get(`${type} ${privacyLevel}`) ?? 0),
      ];
      send(writeCounts, [userId, ...values]);
    });
  }
}
