import { parseArgs } from "node:util";
import { numberOption } from "../number-option.ts";

/** What a run of the sync benchmark does. */
export interface SyncOptions {
  /** Measurements of each side. */
  rounds: number;
  /** Messages that are enqueued and drained. */
  messages: number;
}

const usage = `Usage: pnpm bench sync [options]
  --rounds N        measurements of each side of a capture (7)
  --messages N      messages that are enqueued, then drained (10000)
CHROMIUM_PATH names the browser (/usr/bin/chromium).`;

/** @throws Error that says which option is wrong */
export function syncOptions(args: readonly string[]): SyncOptions {
  const { values } = parseArgs({ args: [...args], options: { rounds: { type: "string" }, messages: { type: "string" } } });
  return {
    rounds: numberOption("rounds", values.rounds, { fallback: 7, least: 1, most: 100, usage }),
    messages: numberOption("messages", values.messages, { fallback: 10_000, least: 100, most: 1_000_000, usage }),
  };
}
