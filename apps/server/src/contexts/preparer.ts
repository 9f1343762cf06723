import type { PrivacyFilter } from "../privacy/privacy-filter.js";
import type { Capture } from "./capture.js";
import { claim } from "./preparation-messages.js";
import { PreparationThread } from "./preparation-thread.js";
import { prepareCapture, type PreparedCapture } from "./prepared-capture.js";

export type { PreparedCapture } from "./prepared-capture.js";

/** Filters and analyses captures. */
export interface Preparer {
  /** What becomes of each capture, in their order. `turn` is awaited after each that is done here. */
  prepare(captures: readonly Capture[], filter: PrivacyFilter, turn: () => Promise<void> | undefined): Promise<PreparedCapture[]>;
}

/** UTF-16 units of content from which another thread is worth its messages, and its start. */
const sharedUnitsMin = 2_000;
const startUnitsMin = 20_000;
/** Requests at once from which a thread is started, too. */
const startRequestsMin = 4;
/** Jobs that a thread is given at most. */
const jobsMax = 4;

/**
 * A preparer that shares the work with up to `threadsMax` threads: large batches, and single captures when several requests are under way.
 * Threads start when they are needed first. The caller's own thread works as well, from a batch's other end, so that nothing waits for a
 * thread that has other work. What comes out is the same wherever it is made; what a thread does not bring back is made here.
 */
export function createPreparer(threadsMax: number): Preparer & AsyncDisposable {
  const threads: PreparationThread[] = [];
  let requests = 0;
  let isClosed = false;

  return {
    async prepare(captures, filter, turn) {
      const units = captures.reduce((sum, { input }) => sum + input.content.length, 0);
      requests++;
      try {
        const thread = units < sharedUnitsMin ? undefined : threadFor(captures.length, units);
        return thread ? await share(thread, captures, filter, turn) : await prepareHere(captures, filter, turn);
      } finally {
        requests--;
      }
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all(threads.splice(0).map((thread) => thread.end()));
    },
  };

  function threadFor(count: number, units: number): PreparationThread | undefined {
    for (const gone of threads.filter((thread) => thread.isGone)) threads.splice(threads.indexOf(gone), 1);
    // A single capture is not kept waiting: neither for a thread to start, nor for other jobs.
    const fitting = threads.filter(({ isReady, jobs }) => (count > 1 ? jobs < jobsMax : isReady && jobs === 0));
    const [first] = fitting.toSorted((a, b) => a.jobs - b.jobs);
    const isWorthStarting = !isClosed && threads.length < threadsMax && (units >= startUnitsMin || requests >= startRequestsMin);
    if (first?.jobs === 0 || !isWorthStarting) return first;
    const started = new PreparationThread();
    threads.push(started);
    return count > 1 ? started : first;
  }
}

async function prepareHere(...[captures, filter, turn]: Parameters<Preparer["prepare"]>): Promise<PreparedCapture[]> {
  const prepared: PreparedCapture[] = [];
  for (const capture of captures) {
    prepared.push(prepareCapture(capture, filter));
    await turn();
  }
  return prepared;
}

/** The thread takes captures from the first on, this one from the last on, until they meet. A single one is the thread's. */
async function share(thread: PreparationThread, ...[captures, filter, turn]: Parameters<Preparer["prepare"]>): Promise<PreparedCapture[]> {
  const claims = new Int32Array(new SharedArrayBuffer(captures.length * Int32Array.BYTES_PER_ELEMENT));
  const found: Array<PreparedCapture | undefined> = captures.map(() => undefined);
  let missing = captures.length;
  const put = (place: number, prepared: PreparedCapture): void => {
    found[place] = prepared;
    missing--;
  };
  const settled = new Promise<void>((resolve) => {
    thread.give(
      { captures, claims, filter: { ...filter.recipe, name: filter.policy } },
      {
        failedClosed: filter.tell,
        prepared(place, prepared) {
          put(place, prepared);
          if (missing === 0) resolve();
        },
        ended: resolve,
      },
    );
  }).catch(() => {
    // What could not be given is done here, as what a thread does not bring back.
  });
  for (let place = captures.length - 1; place >= (captures.length > 1 ? 0 : 1); place--) {
    const capture = captures[place];
    if (!capture || !claim(claims, place)) break;
    put(place, prepareCapture(capture, filter));
    await turn();
  }
  if (missing > 0) await settled;
  const prepared: PreparedCapture[] = [];
  for (const [place, capture] of captures.entries()) {
    prepared.push(found[place] ?? prepareCapture(capture, filter));
    await turn();
  }
  return prepared;
}
