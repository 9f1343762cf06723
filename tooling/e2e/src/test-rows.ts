import { within } from "@periscope/harness/wait-until";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Audit } from "./harness/ledger.ts";

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

/** Makes a test of each row: nothing may be lost or doubled. */
export function testRows<Stage extends AsyncDisposable, Row extends { fault: string; injected: string }>(
  rowTests: RowTests<Stage, Row>,
): void {
  const { prefix = "", rows, setStage, play, restore } = rowTests;
  let stage: Stage;
  beforeAll(async () => {
    stage = await setStage();
  });
  afterAll(async () => {
    await stage[Symbol.asyncDispose]();
  });

  const chosen = rows.filter(({ fault }) => only === undefined || only.includes(fault));
  test.for(chosen.map((row) => [`${row.fault}: ${row.injected}`, row] as const))(`${prefix}%s`, async ([, row]) => {
    try {
      expect(await play(row, stage)).toMatchObject({ losses: 0, duplicates: 0 });
    } catch (error) {
      // What failed the row is told first, and not a stage that cannot be put in order after it.
      await within("A stage in order", restore(stage)).catch((other: unknown) => {
        throw new AggregateError([error, other], `${String(error)} Then: ${String(other)}`, { cause: error });
      });
      throw error;
    }
    await restore(stage);
  });
}
