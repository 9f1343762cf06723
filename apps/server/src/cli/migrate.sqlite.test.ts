import { once } from "node:events";
import { expect, test } from "vitest";
import { cli, Installation } from "../../test/server-process.js";

/** Presses Ctrl-C when the migrations begin. */
const pressCtrlC = `
import { createRequire } from "node:module";
const { prototype } = createRequire(${JSON.stringify(cli)})("better-sqlite3");
const { transaction } = prototype;
prototype.transaction = function (work) {
  process.kill(process.pid, "SIGINT");
  return transaction.call(this, work);
};`;

test("ends at Ctrl-C in the middle of a migration of SQLite", async () => {
  const hook = `data:text/javascript,${encodeURIComponent(pressCtrlC)}`;
  await using installation = await Installation.create({ NODE_OPTIONS: `--import=${hook}` });
  expect(await once(installation.start("migrate"), "exit")).toEqual([null, "SIGINT"]);
});
