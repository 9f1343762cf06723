import { isAmbiguousKey, isSecretKey } from "../data/secret-keys.js";
import type { Detector, Report } from "../detector.js";
import { isPlaceholder } from "../text/placeholders.js";
import { isLinkValue, LinkReader, purposeOf } from "../url/login-link.js";
import { decodeOnce } from "../url/split-url.js";
import type { Cell } from "../text/table.js";
import { isTokenShaped } from "../url/token-shape.js";
import { endsUrl, urlEnd } from "../url/url-end.js";

/** Longest query that is read at once; what comes after it is read from its next separator on. */
const queryMax = 16_384;
const keyMax = 64;
/** Longest path of a URL nested in another that is looked at. */
const encodedPathMax = 2048;
/** Between the segments of such a path, and after its end. */
const encodedSeparator = /%(?:2F|3F|3B|23|26)|[/?#&]/gi;
/** Longest name of a host (RFC 1035, 2.3.4). */
const hostMax = 255;
/** How far before a query its path is read. */
const pathReach = 160;
/** Where the address of a link may start that has no scheme. */
const linkAnchors = [
  "/reset",
  "/password",
  "/verify",
  "/verif",
  "/confirm",
  "/activat",
  "/invit",
  "/magic",
  "/login/",
  "/recover",
  "/unlock",
  "discord.gg/",
  "chat.whatsapp.com/",
];
const privateSegment = /^private-[0-9a-f]{20,64}$/;
const parameter = /[A-Za-z0-9_.\-[\]]{1,64}(?:=|%3D)/iy;
/** Encoded once more, `&`, `?`, `;` and `#` separate the parameters of a nested URL. */
const separator = /[&?;#]|%26|%3F|%3B|%23/gi;

/**
 * Secrets in URLs that stand in text, absolute or relative: values of secret keys, token-shaped values of
 * ambiguous keys, `;jsessionid=`, and the segment after `/reset/`, `/magic-link/` and the like. Works on the text as
 * written, so broken URLs count; a URL nested in a value (`next=https%3A%2F%2F…`) is read like the outer one.
 */
export const urlToken: Detector = {
  kind: "token",
  tier: "floor",
  anchors: ["?", "#", "://", ";jsessionid=", "%3F", "%3A%2F%2F", ...linkAnchors],
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    let pathDone = 0;
    let encodedDone = 0;
    starts.forEach((at, index) => {
      const anchor = anchors[index] ?? 0;
      if (anchor === 2) {
        if (at >= pathDone) pathDone = path(text, at + 3, report);
        return;
      }
      if (anchor === 5) {
        if (at >= encodedDone) encodedDone = encodedPath(text, at + 9, report);
        return;
      }
      if (anchor > 5) {
        // From the segment before it on, as from the host of an address.
        if (at >= pathDone) pathDone = path(text, at, report);
        return;
      }
      const start = at + (anchor === 4 ? 3 : 1);
      if (start < done) return;
      parameter.lastIndex = start;
      if (parameter.test(text)) done = query(text, start, report);
    });
  },
};

function query(text: string, start: number, report: Report): number {
  const end = urlEnd(text, start, queryMax);
  let known: Link | undefined;
  const link = (): Link => (known ??= linkBefore(text, start, end));
  let from = start;
  while (from < end) {
    separator.lastIndex = from;
    const match = separator.exec(text);
    const to = match === null ? end : Math.min(end, match.index);
    pair(text, { start: from, end: to }, link, report);
    if (match === null || match.index >= end) break;
    from = separator.lastIndex;
  }
  return end;
}

type Link = Pick<LinkReader, "isStrong" | "isSignIn">;

/** What the address before a query, and what the query itself, say of the link. */
function linkBefore(text: string, start: number, end: number): Link {
  let from = start - 1;
  while (from > start - pathReach && !endsUrl(text.charCodeAt(from - 1))) from--;
  const purposes = [
    ...text.slice(from, start - 1).split(/[/.]/),
    ...Array.from(text.slice(start, end).matchAll(telling), ([, value = ""]) => value),
  ].map(purposeOf);
  return { isStrong: purposes.includes(2), isSignIn: purposes.some((purpose) => purpose > 0) };
}

const telling = /(?:mode|action|type|do|op|view|step|purpose|flow|route|page|act)(?:=|%3D)([A-Za-z_-]{2,48})/gi;

function pair(text: string, { start: from, end: to }: Cell, link: () => Link, report: Report): void {
  parameter.lastIndex = from;
  if (!parameter.test(text) || parameter.lastIndex > to || parameter.lastIndex - from > keyMax) return;
  const valueStart = parameter.lastIndex;
  const key = text.slice(from, valueStart).replace(/(?:=|%3D)$/i, "");
  // In markdown a link's text ends, and its address follows.
  const close = text.slice(valueStart, to).indexOf(")](");
  // A full stop, comma or bracket at the end belongs to the sentence or to markdown.
  const value = text.slice(valueStart, close < 0 ? to : valueStart + close).replace(/[.,)\]!:*]{1,8}$/, "");
  if (value === "" || value === "REDACTED" || isPlaceholder(value)) return;
  if (
    isSecretKey(key)
      ? value.length >= 2
      : (isAmbiguousKey(key) && isTokenShaped(decodeOnce(value))) ||
        (value.length > 3 && /[0-9A-Z]/.test(value) && isLinkValue(key, decodeOnce(value), link()))
  )
    report(valueStart, valueStart + value.length, "url:secret-key");
}

/** The path of an address from its host, or from a segment, on. Returns where it ends. */
function path(text: string, start: number, report: Report): number {
  let link: LinkReader | undefined;
  let from = start;
  let at = start;
  for (; at < start + queryMax; at++) {
    const c = text.charCodeAt(at);
    if (c !== 0x2f && c !== 0x3f && c !== 0x23 && c !== 0x3b && !endsUrl(c)) continue;
    const isRoute = c === 0x23 && (text[at + 1] === "/" || text[at + 1] === "!");
    if (link === undefined) link = new LinkReader(text.slice(from, Math.min(at, from + hostMax)));
    else segment(link, text.slice(from, at), from, report);
    if (c !== 0x2f && !isRoute) break;
    from = at + 1;
  }
  return at;
}

/** The path of a URL that is percent-encoded in another one. Returns where it ends. */
function encodedPath(text: string, start: number, report: Report): number {
  const end = urlEnd(text, start, encodedPathMax);
  const link = new LinkReader();
  let from = start;
  while (from < end) {
    encodedSeparator.lastIndex = from;
    const match = encodedSeparator.exec(text);
    const to = match === null ? end : Math.min(end, match.index);
    if (from > start) segment(link, text.slice(from, to), from, report);
    if (match === null || match[0].toUpperCase() !== "%2F") return to;
    from = encodedSeparator.lastIndex;
  }
  return end;
}

function segment(link: LinkReader, written: string, from: number, report: Report): void {
  if (link.skips(written)) return;
  // A bracket or full stop at the end belongs to markdown or to the sentence.
  const name = written.replace(/[.,)\]!:*]{1,8}$/, "");
  if (link.isSecret(decodeOnce(name)) && !isPlaceholder(name)) report(from, from + name.length, "url:link");
  // The secret address of a calendar.
  else if (privateSegment.test(name)) report(from + "private-".length, from + name.length, "url:link");
}
