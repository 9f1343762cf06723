import type { PrivacyLevel } from "@periscope/privacy";
import type { Enqueued } from "../core/outcomes.js";
import type { Capture } from "../protocol/index.js";

/**
 * Why there was nothing to hand in, or nobody took it. `orphaned`: the extension was updated or switched off, and this script is left over in the page:
 * it should go silent. `no-answer`: the background did not answer, twice; what was sent may have been taken all the same, as one message. `refused`: the
 * background did not take it for one of its own. `frame`: a frame in the page. `page-changed`: the page moved on while it was read. `failed`: the
 * page could not be read.
 */
export type UnavailableReason = "orphaned" | "no-answer" | "refused" | "frame" | "page-changed" | "failed";

/** Nothing was handed in, or it is not known what became of it. `message` says it in words that hold nothing of the page. */
export interface Unavailable {
  status: "unavailable";
  reason: UnavailableReason;
  message: string;
}

/** There is nothing: no selection, or a selection that is in a field. */
export interface Empty {
  status: "empty";
}

/** What became of a capture: what the background says of it, with the id of the context for heartbeats; or why there was none. */
export type Captured = (Enqueued & { contextId: string }) | Empty | Unavailable;

/** What was read: the article of a page, all that is shown of something, or only what elements say of themselves. */
export type ReadBy = "article" | "whole" | "facts";

/**
 * A capture that was not handed in. `removed` counts what is not in it by kind: `denied`, `editable` (elements) and `field`, `secret_value`,
 * `contact_value` (fields with something in them) by the rules in the page, all other kinds by the privacy filter.
 */
export type Preview =
  | {
      status: "ready";
      /** As it would be kept. */
      capture: Capture;
      level: PrivacyLevel;
      /** Why the level is what it is, such as `category:banking` or `page:filled-secret`. */
      reasons: readonly string[];
      removed: Readonly<Record<string, number>>;
      isTruncated: boolean;
      readBy: ReadBy;
      /** Milliseconds that reading took of the page's time, without the filter. */
      ms: number;
    }
  | { status: "blocked"; rule: string }
  | Empty
  | Unavailable;

export const unavailable = (reason: UnavailableReason, message: string): Unavailable => ({ status: "unavailable", reason, message });
