import { visibilityOf } from "./dom-access.js";

/** A longer time without a count was a machine that slept. */
const uncountedMsMax = 120_000;

/** Counts how long this document is viewed, in milliseconds: while the page is visible, has the focus and is recorded. */
export function viewTime(document: Document, now: () => number) {
  let ms = 0;
  let recordedMs = 0;
  let since: number | undefined;
  let isRecorded = true;

  /** The time until now. Call it whenever visibility or focus change, and once a minute. */
  function count(): number {
    const at = now();
    if (since !== undefined) ms += Math.max(0, Math.min(at - since, uncountedMsMax));
    since = isRecorded && isViewed(document) ? at : undefined;
    return Math.round(ms);
  }

  /** Says whether the page is recorded now. If not, the time since it was last known to be does not count. */
  function setRecorded(next: boolean): void {
    count();
    if (next) recordedMs = ms;
    else ms = recordedMs;
    isRecorded = next;
    count();
  }

  return { count, setRecorded };
}

export const isViewed = (document: Document): boolean => visibilityOf(document) === "visible" && document.hasFocus();
