import { type TestDatabase, testEngine } from "./test-database.js";

/** Lets the database refuse rows of a table, with an error that says `password of the database`, until it is lifted. */
export async function failInserts(
  database: Pick<TestDatabase, "rows">,
  table: string,
  only?: { column: string; value: string },
): Promise<{ lift(): Promise<void> }> {
  const when = only === undefined ? "" : `WHEN (new."${only.column}" = '${only.value}')`;
  const head = `CREATE TRIGGER refuse BEFORE INSERT ON ${table}`;
  if (testEngine() === "sqlite") {
    await database.rows(`${head} ${when} BEGIN SELECT RAISE(ABORT, 'password of the database'); END`);
    return { lift: async () => void (await database.rows("DROP TRIGGER refuse")) };
  }
  const text = `BEGIN RAISE EXCEPTION 'password of the database'; END`;
  await database.rows(`CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ ${text} $$`);
  await database.rows(`${head} FOR EACH ROW ${when} EXECUTE FUNCTION refuse()`);
  return { lift: async () => void (await database.rows(`DROP TRIGGER refuse ON ${table}`)) };
}
