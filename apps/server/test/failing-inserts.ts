import { type TestDatabase, testEngine } from "./test-database.js";

/** Lets the database refuse rows of a table, with an error that says `password of the database`, until it is lifted. */
export async function failInserts(
  database: Pick<TestDatabase, "rows">,
  table: string,
  only?: { column: string; value: string },
): Promise<{ lift(): Promise<void> }> {
  if (testEngine() === "sqlite") {
    const when = only === undefined ? "" : `WHEN (new."${only.column}" = '${only.value}')`;
    await database.rows(
      `CREATE TRIGGER refuse BEFORE INSERT ON ${table} ${when} BEGIN SELECT RAISE(ABORT, 'password of the database'); END`,
    );
    return { lift: async () => void (await database.rows("DROP TRIGGER refuse")) };
  }
  // No trigger: tables that are spread over machines have none.
  const allowed = only === undefined ? "false" : `"${only.column}" <> '${only.value}'`;
  await database.rows(`ALTER TABLE ${table} ADD CONSTRAINT "password of the database" CHECK (${allowed}) NOT VALID`);
  return { lift: async () => void (await database.rows(`ALTER TABLE ${table} DROP CONSTRAINT "password of the database"`)) };
}
