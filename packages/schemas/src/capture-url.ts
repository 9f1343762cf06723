import * as z from "zod/mini";
import { limits } from "./limits.js";
import { fitsUtf8 } from "./text.js";

/** Schemes whose pages are captured. */
export const capturedSchemes: readonly string[] = ["http:", "https:", "file:"];

/** Schemes of browser and extension pages: answered with `privacy_rejected`, never stored. */
export const browserSchemes: readonly string[] = [
  "about:",
  "brave:",
  "chrome:",
  "chrome-error:",
  "chrome-extension:",
  "chrome-search:",
  "chrome-untrusted:",
  "devtools:",
  "edge:",
  "extension:",
  "moz-extension:",
  "ms-browser-extension:",
  "opera:",
  "resource:",
  "safari-extension:",
  "safari-web-extension:",
  "view-source:",
  "vivaldi:",
];

const known = new Set([...capturedSchemes, ...browserSchemes]);

/** Address of a page: parses as a URL, at most 8 KiB, `http`, `https`, `file`, or a browser page (which is then rejected for privacy). */
export const CaptureUrl = z.string().check(
  z.refine((url) => fitsUtf8(url, limits.urlBytesMax), `must be at most ${limits.urlBytesMax} bytes of UTF-8`),
  z.refine((url) => URL.canParse(url), "must be an absolute URL"),
  z.refine((url) => !URL.canParse(url) || known.has(new URL(url).protocol), "must be an http, https or file URL"),
);
export type CaptureUrl = z.infer<typeof CaptureUrl>;
