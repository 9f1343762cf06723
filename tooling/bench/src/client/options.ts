import { parseArgs } from "node:util";
import { numberOption } from "../number-option.ts";

/** What a run of the client benchmark does. */
export interface ClientOptions {
  rounds: number;
  /** Calls of each side in a round, one after the other. */
  calls: number;
}

const usage = `Usage: pnpm bench client [options]
  --rounds N        measurements of each side (9)
  --calls N         calls of one measurement (2000)`;

/** @throws Error that says which option is wrong */
export function clientOptions(args: readonly string[]): ClientOptions {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string" }, calls: { type: "string" } } });
  return {
    rounds: numberOption("rounds", values.rounds, { fallback: 9, least: 1, most: 100, usage }),
    calls: numberOption("calls", values.calls, { fallback: 2_000, least: 10, most: 100_000, usage }),
  };
}
