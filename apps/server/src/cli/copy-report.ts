import { ConfigError, readConfig } from "../config.js";
import { fileOf, isPostgresUrl, placeOf } from "../database-url.js";
import type { Comparison } from "../storage/copy/compare.js";
import type { CopyReport } from "../storage/copy/copy-storage.js";
import { UsageError } from "./failure.js";
import { count } from "./progress-line.js";
import { table } from "./table.js";

/** The database that a flag names as DATABASE_URL does, with an absolute path. Throws {@link UsageError}, which shows no password. */
export function databaseOf(flag: "--from" | "--to", text: string): string {
  try {
    return readConfig({}, { databaseUrl: text }).databaseUrl;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new UsageError(error.message.replace(/^[^:]*/, flag));
  }
}

/** Where a database is, as it may be printed: without user, password and options. */
export function copyPlace(databaseUrl: string): string {
  return isPostgresUrl(databaseUrl) ? placeOf(databaseUrl) : fileOf(databaseUrl);
}

const shortHash = (hash: string): string => (hash === "" ? "-" : hash.slice(0, 16));

/** What was compared, for people. */
export function comparisonTable({ tables, index }: Comparison, report?: CopyReport): string {
  const rows = tables.map(({ table: name, source, target, isSame }) => [
    name,
    count(source.rows),
    shortHash(source.hash),
    count(target.rows),
    shortHash(target.hash),
    isSame ? "same" : "DIFFERENT",
  ]);
  rows.push(["search index", "", "", count(index.indexed), "", index.isSame ? "whole" : "DAMAGED"]);
  return table(["TABLE", "SOURCE", "HASH", "TARGET", "HASH", ""], rows) + (report ? summary(report) : "");
}

function summary({ comparison, rowsBefore, copyMs }: CopyReport): string {
  const total = comparison?.tables.reduce((sum, { target }) => sum + target.rows, 0) ?? 0;
  const before = rowsBefore === 0 ? "" : `; an earlier run had copied ${count(rowsBefore)}`;
  return `${count(total)} rows, ${count(total - rowsBefore)} of them in ${(copyMs / 1000).toFixed(1)} s${before}.\n`;
}

/** The same as one line of JSON. */
export function comparisonJson(comparison: Comparison, report?: CopyReport): string {
  const { rowsBefore, sourceChanged, copyMs } = report ?? {};
  return `${JSON.stringify({ ...comparison, rowsBefore, sourceChanged, copyMs: copyMs && Math.round(copyMs) })}\n`;
}
