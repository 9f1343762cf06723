import { visibilityOf } from "./dom-access.js";

/** How long a visit has been viewed in this document, in milliseconds: while the page is visible, has the focus and is recorded. */
export interface ViewTime {
  /** The time until now. Call it whenever visibility or focus change, and once a minute. */
  count(): number;
  /** Says whether the page is recorded now. If not, the time since it was last known to be does not count. */
  confirm(isRecorded: boolean): void;
  /** Begins with another visit. */
  restart(): void;
}

/** A longer time without a count was a machine that slept. */
const uncountedMsMax = 120_000;

export function viewTime(document: Document, now: () => number): ViewTime {
  let ms = 0;
  let confirmedMs = 0;
  let since: number | undefined;
  let isRecorded = true;

  function count(): number {
    const at = now();
    if (since !== undefined) ms += Math.max(0, Math.min(at - since, uncountedMsMax));
    since = isRecorded && isViewed(document) ? at : undefined;
    return Math.round(ms);
  }

  return {
    count,
    confirm(next) {
      count();
      if (next) confirmedMs = ms;
      else ms = confirmedMs;
      isRecorded = next;
      count();
    },
    restart() {
      count();
      ms = 0;
      confirmedMs = 0;
    },
  };
}

/** Whether somebody looks at the page. */
export const isViewed = (document: Document): boolean => visibilityOf(document) === "visible" && document.hasFocus();
