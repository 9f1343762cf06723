import "./row-meta.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Audit } from "../harness/ledger.ts";
import { within } from "../harness/wait-until.ts";

/** Rows, and the stage that they play on. */
export interface RowTests<Stage, Row> {
  /** Begins the name of each test. */
  prefix?: string;
  rows: readonly Row[];
  /** Sets the stage, once for all rows. */
  setStage(): Promise<Stage>;
  /** Plays a row; resolves to what was counted. */
  play(row: Row, stage: Stage): Promise<Audit>;
  /** Puts the stage in order for the next row: one that failed may have left it otherwise. */
  restore(stage: Stage): Promise<void>;
}

// Rows by number, to look at a few of them.
const only = process.env["E2E_ROWS"]?.split(",");

/** Makes a test of each row: nothing may be lost or doubled, and the closing table has what it came to. */
export function testRows<Stage extends AsyncDisposable & { browser: { kills: number } }, Row extends { fault: string; injected: string }>({
  prefix = "",
  rows,
  setStage,
  play,
  restore,
}: RowTests<Stage, Row>): void {
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const chosen = rows.filter(({ fault }) => only === undefined || only.includes(fault));
  test.for(chosen.map((row) => [`${row.fault}: ${row.injected}`, row] as const))(`${prefix}%s`, async ([, row], { task }) => {
    const { kills } = stage.browser;
    const startedAt = performance.now();
    try {
      const audit = await play(row, stage);
      const { fault, injected } = row;
      task.meta.row = { fault, injected, kills: stage.browser.kills - kills, ms: performance.now() - startedAt, ...audit };
      expect(audit).toMatchObject({ losses: 0, duplicates: 0 });
    } catch (error) {
      // What failed the row is what to tell first, and not a stage that cannot be put in order after it.
      await within("A stage in order", restore(stage)).catch((other: unknown) => {
        throw new AggregateError([error, other], `${String(error)} Then: ${String(other)}`, { cause: error });
      });
      throw error;
    }
    await restore(stage);
  });
}
