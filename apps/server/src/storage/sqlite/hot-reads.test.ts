import Database from "better-sqlite3";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { levelsUpTo } from "../history-query.js";
import { currentSql } from "./hot-reads.js";
import { migrateSqlite } from "./migrate.js";

/** How SQLite goes about a statement. */
function planOf(db: Database.Database, sql: string): string[] {
  const parameters = [...sql.matchAll(/\?/g)].map(() => "x");
  const steps = db.prepare<string[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  return steps.map(({ detail }) => detail);
}

const byTab = /USING (?:COVERING )?INDEX contexts_userId_tabId_capturedAt_idx \(userId=\? AND tabId=\?\)/;
const byExtension = /USING (?:COVERING )?INDEX contexts_userId_extensionId_capturedAt_idx \(userId=\? AND extensionId=\?\)/;
const byTime = /USING COVERING INDEX contexts_userId_capturedAt_contextId_type_privacyLevel_idx \(userId=\?\)/;

test.each([
  [{}, byTime],
  [{ tabId: "x" }, byTab],
  [{ extensionId: "x" }, byExtension],
  [{ tabId: "x", extensionId: "x" }, byTab],
])("the newest context by %j is found in the order of an index, whatever the key may see", (filter, index) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "periscope-plans-"));
  const file = join(folder.path, "periscope.db");
  migrateSqlite(file);
  const db = new Database(file);
  for (const levels of [[], levelsUpTo("public"), levelsUpTo("private"), levelsUpTo("filtered")]) {
    const [outer, inner, ...sorting] = planOf(db, currentSql({ levels, ...filter })).filter((step) => !step.startsWith("SCALAR SUBQUERY"));
    expect(outer).toBe("SEARCH contexts USING INTEGER PRIMARY KEY (rowid=?)");
    expect(inner).toMatch(/^SEARCH contexts/);
    expect(inner).toMatch(index);
    // Only among contexts of one moment.
    expect(sorting).toEqual(["USE TEMP B-TREE FOR LAST TERM OF ORDER BY"]);
  }
  db.close();
});
