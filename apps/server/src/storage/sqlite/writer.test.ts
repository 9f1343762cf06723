import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openWriter } from "./connection.js";
import { SqliteWriter } from "./writer.js";

function openWorld() {
  const folder = mkdtempDisposableSync(join(tmpdir(), "periscope-writer-"));
  const file = join(folder.path, "a.db");
  const db = openWriter(file, { waits: false });
  db.exec("CREATE TABLE few (a UNIQUE)");
  const add = db.prepare<[number]>("INSERT INTO few VALUES (?)");
  const kept = () => db.prepare<[], number>("SELECT a FROM few ORDER BY a").pluck().all();
  return {
    file,
    writer: new SqliteWriter(db),
    add: (a: number) => void add.run(a),
    kept,
    [Symbol.dispose]: () => (db.close(), folder.remove()),
  };
}

test("commits jobs that wait together in one transaction, and refuses a failed one alone", async () => {
  using world = openWorld();
  const { writer, add, kept } = world;
  const outcomes = await Promise.allSettled(
    [1, 2, 1, 3].map((a) =>
      writer.run(() => {
        add(a);
        return a;
      }),
    ),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(kept()).toEqual([1, 2, 3]);
});

test("lets nothing write beside exclusive work", async () => {
  using world = openWorld();
  const { writer, add, kept } = world;
  const order: string[] = [];
  const exclusive = writer.exclusive(async () => {
    order.push("begun");
    await new Promise(setImmediate);
    order.push("ended");
  });
  const written = writer.run(() => {
    order.push("written");
    add(1);
  });
  await Promise.all([exclusive, written]);
  await writer.idle();
  expect([order, kept()]).toEqual([["begun", "ended", "written"], [1]]);
});
