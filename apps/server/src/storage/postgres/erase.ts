import type pg from "pg";
import type { VerifyErased } from "../../data/data.store.js";
import { rowsOf, type Statement, statement } from "./pool.js";

const deleteWindows = statement(`DELETE FROM rate_windows WHERE "userId" = $1`);
/** Every table that has a column for the user, those of later versions among them. */
const userTables = statement(`SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'userId' ORDER BY 1`);
/** Challenges of sign-ins, which name people in their JSON. */
const challenges = statement(`SELECT count(*)::float8 AS found FROM auth_verifications WHERE position($1 IN value) > 0`);
/** Texts that stand in a row without an owner. Of rows that have one, only the index of their users is read. */
const ownerless = statement(`SELECT count(DISTINCT t.text)::float8 AS found
    FROM (SELECT DISTINCT "userId" FROM contexts EXCEPT SELECT "userId" FROM users) AS gone
    JOIN contexts c ON c."userId" = gone."userId", unnest($1::text[]) AS t(text)
    WHERE position(t.text IN c.content) > 0 OR position(t.text IN c.title) > 0 OR position(t.text IN coalesce(c."plainText", '')) > 0`);

/** PostgreSQL clears removed rows away itself, by its vacuum; what can be proven here is that no table has them. */
export const verifyErased =
  (pool: pg.Pool): VerifyErased =>
  async (userId, texts) => {
    await rowsOf(pool, deleteWindows, [userId]);
    const searched = await rowsOf<{ name: string }>(pool, userTables, []);
    const count = async (of: Statement, value: unknown) => (await rowsOf<{ found: number }>(pool, of, [value]))[0]?.found ?? 0;
    let found = (await count(challenges, JSON.stringify(userId))) + (await count(ownerless, texts));
    for (const { name } of searched)
      found += await count(statement(`SELECT count(*)::float8 AS found FROM "${name}" WHERE "userId" = $1`), userId);
    return { method: "tables", filesSearched: 0, tablesSearched: searched.length + 1, found };
  };
