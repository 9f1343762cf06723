import { parseArgs } from "node:util";

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

const serviceUsage = `Usage: pnpm bench [service] [options]
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
    contexts: number("contexts", values.contexts, { fallback: values.full === true ? 100_000 : 20_000, least: 1_000, most: 1_000_000 }),
    rounds: number("rounds", values.rounds, { fallback: 5, least: 1, most: 100 }),
    seconds: number("seconds", values.seconds, { fallback: 2, least: 0.1, most: 60 }),
    only: values.only?.split(",") ?? [],
    profile: values.profile,
  };
}

function number(
  name: string,
  text: string | undefined,
  { fallback, least, most }: { fallback: number; least: number; most: number },
): number {
  const value = text === undefined ? fallback : Number(text);
  if (value >= least && value <= most) return value;
  throw new Error(`--${name} takes a number from ${least} to ${most}, not ${text ?? ""}.\n\n${serviceUsage}`);
}
