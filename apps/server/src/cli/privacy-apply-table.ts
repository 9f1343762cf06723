import { privacyLevels } from "@periscope/privacy";
import type { ApplyCounts } from "../privacy-apply/apply-counts.js";
import type { ApplyReport } from "../privacy-apply/apply.service.js";
import { count } from "./progress-line.js";
import { table } from "./table.js";

/** A report for people: what was done, and that nothing was where nothing was. */
export function applyTable({ users, upToDate, isDryRun, isStopped, counts }: ApplyReport): string {
  if (users === 0) return "No users yet.\n";
  if (upToDate === users)
    return `Nothing is left to do: what is stored of ${people(users)} has been checked under this policy. --all checks it once more.\n`;
  const rows: Array<[what: string, count: number]> = [
    ["users", users],
    ...(upToDate > 0 ? [["  nothing left to do", upToDate] satisfies [string, number]] : []),
    ["contexts checked", counts.checked],
    ["  unchanged", counts.unchanged],
    ["  rewritten", counts.rewritten],
    ...raised(counts),
    ...named("    failed to be filtered, now restricted", counts.failedClosed),
    ["  removed", sumOf(counts.removed)],
    ...each(counts.removed, "    "),
    ["values redacted", sumOf(counts.redactions)],
    ...each(counts.redactions, "  "),
    ["extension settings rewritten", counts.configs],
    ["extension errors rewritten", counts.errors],
    ["replay records stripped", counts.replayRecords],
  ];
  const numbers = rows.map(([, value]) => count(value));
  const heading = "COUNT";
  const width = Math.max(...[heading, ...numbers].map(({ length }) => length));
  const lines = rows.map(([what], index) => [what, numbers[index]?.padStart(width) ?? ""]);
  const note = isDryRun && !isStopped ? "Nothing was written: this is what would be done.\n" : "";
  return table(["WHAT", heading.padStart(width)], lines) + note;
}

function raised({ raised }: ApplyCounts): Array<[string, number]> {
  return privacyLevels.flatMap((from) => privacyLevels.flatMap((to) => named(`    raised from ${from} to ${to}`, raised[from]?.[to] ?? 0)));
}

/** A row, unless there is nothing to count. */
function named(what: string, value: number): Array<[string, number]> {
  return value === 0 ? [] : [[what, value]];
}

function each(counts: Record<string, number>, indent: string): Array<[string, number]> {
  return Object.entries(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, value]) => [indent + what, value]);
}

const sumOf = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, value) => sum + value, 0);

/** How many users, in words. */
export const people = (users: number): string => (users === 1 ? "1 user" : `${count(users)} users`);
