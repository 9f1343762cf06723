import { parseArgs } from "node:util";
import { numberOption } from "../number-option.ts";

/** What a run of the privacy benchmark does. */
export interface PrivacyOptions {
  rounds: number;
  /** Length of one measurement of one side. */
  seconds: number;
  /** Length of a document in characters. */
  chars: number;
}

const usage = `Usage: pnpm bench privacy [options]
  --rounds N        measurements of each side (7)
  --seconds S       length of one measurement (1)
  --chars N         length of a document (1000000)`;

/** @throws Error that says which option is wrong */
export function privacyOptions(args: readonly string[]): PrivacyOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: "string" }, seconds: { type: "string" }, chars: { type: "string" } },
  });
  return {
    rounds: numberOption("rounds", values.rounds, { fallback: 7, least: 1, most: 100, usage }),
    seconds: numberOption("seconds", values.seconds, { fallback: 1, least: 0.01, most: 60, usage }),
    chars: numberOption("chars", values.chars, { fallback: 1_000_000, least: 10_000, most: 4_000_000, usage }),
  };
}
