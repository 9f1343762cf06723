import { parentPort } from "node:worker_threads";
import { createPrivacyFilter, type FailedClosed, type PrivacyFilter } from "../privacy/privacy-filter.js";
import { claim, type NumberedJob, type PreparationAnswer } from "./preparation-messages.js";
import { prepareCapture, type PreparedCapture } from "./prepared-capture.js";

// Entry of a thread that filters and analyses captures, from the first of a job on; who gave it works from the last on.

/** What is sent at once: waiting for less would cost more than it saves. */
const sentAtOnce = 8;
/** Filters that are kept, of those that were used last. */
const filtersMax = 4;

const filters = new Map<string, PrivacyFilter>();

function filterOf({ name, policy, version }: NumberedJob["filter"]): PrivacyFilter {
  const filter = filters.get(name) ?? createPrivacyFilter(policy, version);
  filters.delete(name);
  filters.set(name, filter);
  const [oldest] = filters.keys();
  if (filters.size > filtersMax && oldest !== undefined) filters.delete(oldest);
  return filter;
}

function work({ job, captures, claims, filter: recipe }: NumberedJob): void {
  let failures: FailedClosed[] = [];
  let prepared: Array<readonly [number, PreparedCapture]> = [];
  const filter = filterOf(recipe).telling((failed) => failures.push(failed));
  for (const [place, capture] of captures.entries()) {
    // Whoever works from the other end has taken all that follow.
    if (!claim(claims, place)) break;
    prepared.push([place, prepareCapture(capture, filter)]);
    if (prepared.length < sentAtOnce) continue;
    send({ job, prepared, failures, done: false });
    [prepared, failures] = [[], []];
  }
  send({ job, prepared, failures, done: true });
}

function send(answer: PreparationAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
  parentPort?.postMessage(answer);
}

// It is ready.
send({ job: 0, prepared: [], failures: [], done: false });

parentPort?.on("message", (given: NumberedJob) => {
  try {
    work(given);
  } catch (error) {
    send({ job: given.job, error: error instanceof Error ? error : new Error(String(error)) });
  }
});
