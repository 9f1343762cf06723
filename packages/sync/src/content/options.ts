import type { PrivacyLevel } from "@periscope/schemas";
import { systemClock } from "../core/options.js";
import { captureBounds, globalApis } from "../protocol.js";
import { type DomRules, domRules } from "./dom-rules.js";
import type { ContentApis } from "./extension-link.js";
import { pauseForPage } from "./slices.js";

/** What a capture is made with. */
export interface CaptureOptions {
  /** Elements of which nothing is read, with all that is in them. Default: none. */
  selectorDeny?: readonly string[];
  /** The level that is asked for. Default: that of the service, `private`. */
  privacyLevel?: PrivacyLevel;
  /** UTF-8 bytes of content, after which it is cut. Default 1,048,576, which is the most. */
  contentBytesMax?: number;
  /** Milliseconds in which the background must answer. Default 5,000. */
  timeoutMs?: number;
  /** What it runs on; for tests. Default: the document, `browser` or `chrome`, and the system's clock. */
  host?: Partial<CaptureHost>;
}

/** What a capture runs on. */
export interface CaptureHost {
  document: Document;
  apis: () => ContentApis;
  /** Milliseconds since the epoch. */
  epoch: () => number;
  /** Milliseconds since some time that stays the same. */
  now: () => number;
  /** Resolves when the page is idle, to the milliseconds that the next slice may take. */
  pause: () => Promise<number>;
  /** Calls back after `ms` milliseconds, unless the returned function was called before. */
  after: (ms: number, call: () => void) => () => void;
}

export interface CaptureSettings extends CaptureHost {
  timeoutMs: number;
  rules: DomRules;
  privacyLevel: PrivacyLevel | undefined;
  contentBytesMax: number;
}

/** @throws TypeError when the options cannot work */
export function settingsOf(options: CaptureOptions): CaptureSettings {
  const { selectorDeny = [], privacyLevel, contentBytesMax = captureBounds.contentBytesMax, timeoutMs = 5_000 } = options;
  if (!(contentBytesMax >= 1 && contentBytesMax <= captureBounds.contentBytesMax))
    throw new TypeError(`contentBytesMax takes a number from 1 to ${captureBounds.contentBytesMax}, not ${contentBytesMax}.`);
  if (!(timeoutMs >= 1 && timeoutMs <= 60_000)) throw new TypeError(`timeoutMs takes a number from 1 to 60000, not ${timeoutMs}.`);
  return {
    rules: domRules(selectorDeny),
    privacyLevel,
    contentBytesMax,
    timeoutMs,
    document,
    apis: () => globalApis() ?? {},
    now: () => performance.now(),
    epoch: systemClock.now,
    pause: pauseForPage,
    after: systemClock.after,
    ...options.host,
  };
}
