import { parseArgs } from "node:util";
import { numberOption } from "../number-option.ts";

/** What a run of the service benchmark does. */
export interface ServiceOptions {
  /** Contexts in the database before anything is measured. */
  contexts: number;
  rounds: number;
  /** Length of one measurement. */
  seconds: number;
  /** Names of scenarios to measure; all when empty. */
  only: readonly string[];
  /** Scenario whose CPU profile is taken in place of a measurement. */
  profile: string | undefined;
}

const usage = `Usage: pnpm bench [service] [options]
  --contexts N      contexts in the database (20000)
  --full            100000 contexts
  --rounds N        measurements of each side (5)
  --seconds S       length of one measurement (2)
  --only A,B        these scenarios only
  --profile NAME    CPU profile of the server under one scenario, in place of the table`;

/** @throws Error that says which option is wrong */
export function serviceOptions(args: readonly string[]): ServiceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      contexts: { type: "string" },
      full: { type: "boolean" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      only: { type: "string" },
      profile: { type: "string" },
    },
  });
  return {
    contexts: numberOption("contexts", values.contexts, {
      fallback: values.full === true ? 100_000 : 20_000,
      least: 1_000,
      most: 1_000_000,
      usage,
    }),
    rounds: numberOption("rounds", values.rounds, { fallback: 5, least: 1, most: 100, usage }),
    seconds: numberOption("seconds", values.seconds, { fallback: 2, least: 0.1, most: 60, usage }),
    only: values.only?.split(",") ?? [],
    profile: values.profile,
  };
}
