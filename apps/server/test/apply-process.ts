import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { RefilterCounts } from "../src/refilter/refilter-context.js";
import { rowsOf, writeTo } from "./database-dump.js";

/** Rows that are counted once more each time that a run notes where it is: some tens of milliseconds, and about a second. */
const countedRows = { slow: 200_000, "very slow": 3_000_000 };

/**
 * Makes each step of a run on this database take some tens of milliseconds, or a second, inside its transaction: so there is time to
 * see where it is and to do something there, however fast the machine is.
 */
export function slowDown(file: string, pace: keyof typeof countedRows = "slow"): void {
  writeTo(
    file,
    `CREATE VIEW "slow" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${countedRows[pace]}) SELECT i FROM n;
     CREATE TRIGGER "slow_progress" BEFORE INSERT ON "privacy_progress" BEGIN SELECT count(*) FROM "slow"; END;`,
  );
}

/** Takes {@link slowDown} back. */
export function speedUp(file: string): void {
  writeTo(file, 'DROP TRIGGER "slow_progress"; DROP VIEW "slow";');
}

/**
 * Holds every process that works on this database, inside its transaction and for as long as it lives, where it would note how far it
 * has come and `when` is true: a condition in SQL on the row that is noted.
 */
export function shutGate(file: string, when: string, before = 'INSERT ON "privacy_progress"'): void {
  writeTo(
    file,
    `CREATE VIEW "endless" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
     CREATE TRIGGER "gate" BEFORE ${before} WHEN ${when} BEGIN SELECT count(*) FROM "endless"; END;`,
  );
}

/** Takes {@link shutGate} back, once nothing runs any more that stands there. */
export function openGate(file: string): void {
  writeTo(file, 'DROP TRIGGER "gate"; DROP VIEW "endless";');
}

/** What a user's run has noted so far. */
interface NotedProgress {
  counts: RefilterCounts;
  finishedAt: number | null;
}

/** What the runs on this database have noted, by user. */
export function progressIn(file: string): Map<string, NotedProgress> {
  const rows = rowsOf<{ userId: string; counts: string; finishedAt: number | null }>(file, "SELECT * FROM privacy_progress");
  return new Map(rows.map(({ userId, counts, finishedAt }) => [userId, { counts: JSON.parse(counts), finishedAt }]));
}

/** Waits until `isThere`; throws when the process ends before, or two minutes pass. */
export async function reached(child: ChildProcess, isThere: () => boolean): Promise<void> {
  const until = performance.now() + 120_000;
  while (!isThere()) {
    if (performance.now() > until) throw new Error("The run has not come there.");
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The run ended too early: exit ${String(child.exitCode)}`);
    await pause(2);
  }
}

/** Waits for the end of a process; its exit code, null when a signal ended it. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
