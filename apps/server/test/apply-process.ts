import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { ApplyCounts } from "../src/privacy-apply/apply-counts.js";
import { rowsOf, writeTo } from "./database-dump.js";

/** Rows that are counted once more each time that a run notes where it is: some tens of milliseconds. */
const countedRows = 200_000;

/**
 * Makes each step of a run on this database take some tens of milliseconds, inside its transaction: so there is time to see where
 * it is and to do something there, however fast the machine is.
 */
export function slowDown(file: string): void {
  writeTo(
    file,
    `CREATE VIEW "slow" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${countedRows}) SELECT i FROM n;
     CREATE TRIGGER "slow_progress" BEFORE INSERT ON "privacy_progress" BEGIN SELECT count(*) FROM "slow"; END;`,
  );
}

/** What a user's run has noted so far. */
interface NotedProgress {
  counts: ApplyCounts;
  finishedAt: number | null;
}

/** What the runs on this database have noted, by user. */
export function progressIn(file: string): Map<string, NotedProgress> {
  const rows = rowsOf<{ userId: string; counts: string; finishedAt: number | null }>(file, "SELECT * FROM privacy_progress");
  return new Map(rows.map(({ userId, counts, finishedAt }) => [userId, { counts: JSON.parse(counts), finishedAt }]));
}

/** Waits until `isThere`; throws when the process ends before. */
export async function reached(child: ChildProcess, isThere: () => boolean): Promise<void> {
  while (!isThere()) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The run ended too early: exit ${String(child.exitCode)}`);
    await pause(2);
  }
}

/** Waits for the end of a process; its exit code, null when a signal ended it. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}
