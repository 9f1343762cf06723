import type { CaptureOutcome, PrivacyFilter } from "../privacy/privacy-filter.js";
import { type Capture, type SearchParts, searchPartsOf } from "./capture.js";

/** A capture after the slow part of a sync: what the filter made of it, and what searching adds when it is captured. */
export interface PreparedCapture {
  outcome: CaptureOutcome;
  search: SearchParts | undefined;
}

/** Filters and analyses a capture. */
export function prepareCapture(capture: Capture, filter: PrivacyFilter): PreparedCapture {
  const outcome = filter.context(capture.input);
  return { outcome, search: outcome.captured ? searchPartsOf(capture, outcome, filter) : undefined };
}
