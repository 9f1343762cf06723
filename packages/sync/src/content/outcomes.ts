import type { ContentFormat, PrivacyLevel } from "@periscope/schemas";
import type { NewMessage } from "../core/message.js";
import type { Enqueued } from "../core/outcomes.js";

/** How a page is read. */
export interface PageOptions {
  /** All that is shown of the page, and not only the article where there is one. Default false. */
  whole?: boolean;
}

/** What an application knows of itself: flat, at most 16 KiB as JSON. */
export type CustomData = Readonly<Record<string, string | number | boolean>>;

/** Text that belongs to a custom capture. */
export interface CustomOptions {
  content?: string;
  contentFormat?: ContentFormat;
}

/** What is to be captured. */
export type CaptureRequest =
  | ({ type: "page" } & PageOptions)
  | { type: "selection" }
  | { type: "element"; element: Element }
  | { type: "form"; form: Element }
  | { type: "media"; element: Element }
  | { type: "navigation" }
  | ({ type: "custom"; kind: string; data?: CustomData } & CustomOptions);

/**
 * Nothing was handed in, or it is not known what became of it. `orphaned`: the extension was updated or switched off, and this script is left over in
 * the page: it should go silent. `no-answer`: the background did not answer, twice; what was sent may have been taken all the same, as one message.
 * `refused`: the background did not take it for one of its own. `frame`: a frame in the page. `page-changed`: the page moved on while it was read.
 * `failed`: the page could not be read. `message` says it in words that hold nothing of the page.
 */
export interface Unavailable {
  status: "unavailable";
  reason: "orphaned" | "no-answer" | "refused" | "frame" | "page-changed" | "failed";
  message: string;
}

/** There is nothing: no selection, or a selection that is in a field. */
export interface Empty {
  status: "empty";
}

/** What became of a capture: what the background says of it, with the id of the context for heartbeats; or why there was none. */
export type Captured = (Enqueued & { contextId: string }) | Empty | Unavailable;

/** A context as it would be sent. */
export type PreviewContext = Extract<NewMessage, { type: "create" }>["payload"]["context"];

/**
 * A capture that was not handed in. `removed` counts what is not in it by kind: `denied`, `editable` (elements) and `field`, `secret_value`,
 * `contact_value` (fields with something in them) by the rules in the page, all other kinds by the filter.
 */
export type Preview =
  | {
      status: "ready";
      /** As it would be kept. */
      context: PreviewContext;
      level: PrivacyLevel;
      /** Why the level is what it is, such as `category:banking` or `page:filled-secret`. */
      reasons: readonly string[];
      removed: Readonly<Record<string, number>>;
      /** Milliseconds that reading took of the page's time, without the filter. */
      ms: number;
    }
  | { status: "blocked"; rule: string }
  | Empty
  | Unavailable;

export const unavailable = (reason: Unavailable["reason"], message: string): Unavailable => ({ status: "unavailable", reason, message });
