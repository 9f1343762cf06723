import type { PrivacyLevel } from "@periscope/privacy";
import type { MessageFilter } from "../core/message-filter.js";
import type { Privacy } from "../core/privacy.js";
import { captureBounds } from "../protocol/index.js";
import { type DomRules, domRules } from "./dom-rules.js";
import { type ContentApis, extensionApis, type Waiting } from "./extension-link.js";
import { type Pacing, pauseForPage } from "./slices.js";

/** What a capture is made with. */
export interface CaptureOptions {
  /**
   * The filter that a capture passes in the page, before the background has it: `definePrivacy(policy)` or `privacyFilter(policy)` of
   * `@periscope/sync/core`, which is 60 KB after gzip in every page. With `background` it passes that of the background alone, before anything is
   * stored. What stands in fields is left out by the rules of the page in either case.
   */
  privacy: Privacy | MessageFilter | "background";
  /** Elements of which nothing is read, with all that is in them. Default: none. */
  selectorDeny?: readonly string[];
  /** Whether text that somebody can write in (`contenteditable`, `role=textbox`) is read. Default `skip`: it may be a draft. */
  editableText?: "skip" | "read";
  /** The level that is asked for. Default: that of the service, `private`. */
  privacyLevel?: PrivacyLevel;
  /** Bytes of content as they stand in the message, after which it is cut. Default 1,048,576, which is the most. */
  contentBytesMax?: number;
  /** Milliseconds in which the background must answer. Default 5,000. */
  answerMs?: number;
  /** `main`: captures of frames in a page are unavailable. Default `main`. */
  frames?: "main" | "all";
  /** What it runs on; for tests. Default: the document, `browser` or `chrome`, and the system's clock. */
  host?: Partial<CaptureHost>;
}

/** What a capture runs on. */
export interface CaptureHost extends Pacing, Pick<Waiting, "after"> {
  document: Document;
  apis: () => ContentApis;
  /** Milliseconds since the epoch. */
  epoch: () => number;
}

/** Options with their defaults. */
export interface CaptureSettings extends CaptureHost, Waiting {
  privacy: Privacy | MessageFilter | "background";
  rules: DomRules;
  privacyLevel: PrivacyLevel | undefined;
  contentBytesMax: number;
  frames: "main" | "all";
}

/** @throws TypeError when the options cannot work */
export function settingsOf(options: CaptureOptions): CaptureSettings {
  const { privacy, selectorDeny = [], editableText = "skip", frames = "main", host = {} } = options;
  // A filter that was forgotten must not become none.
  if (privacy !== "background" && typeof privacy !== "function" && typeof privacy?.filter !== "function")
    throw new TypeError('createCapture needs `privacy`: definePrivacy(…), a filter, or "background".');
  return {
    privacy,
    rules: domRules({ selectorDeny, editableText }),
    privacyLevel: options.privacyLevel,
    contentBytesMax: within(options, "contentBytesMax", { fallback: captureBounds.contentBytesMax, most: captureBounds.contentBytesMax }),
    answerMs: within(options, "answerMs", { fallback: 5_000, most: 60_000 }),
    frames,
    document: host.document ?? document,
    apis: host.apis ?? extensionApis,
    now: host.now ?? (() => performance.now()),
    epoch: host.epoch ?? (() => Date.now()),
    pause: host.pause ?? pauseForPage,
    after: host.after ?? afterTimeout,
  };
}

type NumberName = "contentBytesMax" | "answerMs";

function within(options: CaptureOptions, name: NumberName, { fallback, most }: { fallback: number; most: number }): number {
  const value = options[name] ?? fallback;
  if (value >= 1 && value <= most) return value;
  throw new TypeError(`${name} takes a number from 1 to ${most}, not ${value}.`);
}

function afterTimeout(ms: number, call: () => void): () => void {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
}
