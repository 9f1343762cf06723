import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ForeignFormat, ForeignPage } from "../../data/foreign.js";

/** Chrome counts microseconds from 1601. */
const chromeEpochMs = 11_644_473_600_000;

const browsers = {
  // What was loaded inside a page or by a redirect is hidden.
  chrome: `SELECT url, title, visit_count AS visits, last_visit_time / 1000.0 - ${chromeEpochMs} AS at FROM urls WHERE hidden = 0 AND visit_count > 0 ORDER BY id`,
  firefox:
    "SELECT url, title, visit_count AS visits, last_visit_date / 1000.0 AS at FROM moz_places WHERE hidden = 0 AND visit_count > 0 ORDER BY id",
} as const;

/**
 * The history of Chrome and its kin (`History`) or of Firefox (`places.sqlite`): each page with its last visit. Reads a copy, since the
 * browser keeps its file locked. Undefined when the file is neither.
 */
export function readBrowserHistory(file: string): { format: ForeignFormat; pages: ForeignPage[] } | undefined {
  const directory = mkdtempSync(join(tmpdir(), "periscope-history-"));
  try {
    const copy = join(directory, "history.db");
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
    const db = new Database(copy);
    try {
      const tables = new Set(db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all());
      const format = tables.has("moz_places") ? "firefox" : tables.has("urls") && tables.has("visits") ? "chrome" : undefined;
      if (format === undefined) return undefined;
      const rows = db.prepare<[], Pick<ForeignPage, "url" | "title" | "visits" | "at">>(browsers[format]).all();
      return { format, pages: rows };
    } finally {
      db.close();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
