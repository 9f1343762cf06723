import { isAmbiguousKey, isSecretKey } from "../data/secret-keys.js";
import type { Detector, Report } from "../detector.js";
import { matchEnd, matchesAt } from "../text/match-at.js";
import { isPlaceholder } from "../text/placeholders.js";
import { highestPurpose, isLinkValue, LinkReader, type Purpose, toldPurposes } from "../url/login-link.js";
import { reportSegment } from "./login-link.js";
import { isBase64Url } from "../text/chars.js";
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
/** How far before a query its path is read. */
const pathReach = 160;
const parameter = /[A-Za-z0-9_.\-[\]]{1,64}(?:=|%3D)/iy;
/** Encoded once more, `&`, `?`, `;` and `#` separate the parameters of a nested URL. */
const separator = /[&?;#]|%26|%3F|%3B|%23/gi;

/**
 * Secrets in the queries of URLs that stand in text, absolute or relative: values of secret keys, token-shaped values of
 * ambiguous keys, and `;jsessionid=`. Works on the text as written, so broken URLs count; a URL nested in a value
 * (`next=https%3A%2F%2F…`) is read like the outer one, its path too.
 */
export const urlToken: Detector = {
  kind: "token",
  tier: "floor",
  anchors: ["?", "#", ";jsessionid=", "%3F", "%3A%2F%2F"],
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    let encodedDone = 0;
    starts.forEach((at, index) => {
      const anchor = anchors[index] ?? 0;
      if (anchor === 4) {
        if (at >= encodedDone) encodedDone = encodedPath(text, at + 9, report);
        return;
      }
      const start = at + (anchor === 3 ? 3 : 1);
      // A question mark of prose is followed by a blank.
      if (start < done || !(isBase64Url(text.charCodeAt(start)) || text[start] === "/")) return;
      // Some forums put the path of a page into the query: `?/lostpassword/&vid=…`.
      if (text[start] === "/" || matchesAt(parameter, text, start)) done = query(text, start, report);
    });
  },
};

function query(text: string, start: number, report: Report): number {
  const end = urlEnd(text, start, queryMax);
  let known: Purpose | undefined;
  const purpose = (): Purpose => (known ??= purposeBefore(text, start, end));
  for (const part of parts(text, start, end, separator)) pair(text, part, purpose, report);
  return end;
}

/** What the address before a query, and what the query itself, say of the link. */
function purposeBefore(text: string, start: number, end: number): Purpose {
  let from = start - 1;
  while (from > start - pathReach && !endsUrl(text.charCodeAt(from - 1))) from--;
  return highestPurpose([...text.slice(from, start - 1).split(/[/.]/), ...toldPurposes(text.slice(start, end))]);
}

function pair(text: string, { start: from, end: to }: Cell, purpose: () => Purpose, report: Report): void {
  const valueStart = matchEnd(parameter, text, from);
  if (valueStart === from || valueStart > to || valueStart - from > keyMax) return;
  const key = text.slice(from, valueStart).replace(/(?:=|%3D)$/i, "");
  // A full stop, comma or bracket at the end belongs to the sentence or to markdown.
  const value = text.slice(valueStart, to).replace(/[.,)\]!:*]{1,8}$/, "");
  if (value === "" || value === "REDACTED" || isPlaceholder(value)) return;
  if (
    isSecretKey(key)
      ? value.length >= 2
      : (isAmbiguousKey(key) && isTokenShaped(decodeOnce(value))) ||
        (value.length > 3 && /[0-9A-Z]/.test(value) && isLinkValue(key, decodeOnce(value), purpose))
  )
    report(valueStart, valueStart + value.length, "url:secret-key");
}

/** The path of a URL that is percent-encoded in another one. Returns where it ends. */
function encodedPath(text: string, start: number, report: Report): number {
  const limit = urlEnd(text, start, encodedPathMax);
  const link = new LinkReader();
  for (const part of parts(text, start, limit, encodedSeparator)) {
    if (part.start > start) reportSegment(link, text.slice(part.start, part.end), part.start, report);
    if (part.by.toUpperCase() !== "%2F") return part.end;
  }
  return limit;
}

/** The parts of a stretch of text, each with what separates it from the next one. */
function* parts(text: string, start: number, end: number, by: RegExp): Generator<Cell & { readonly by: string }> {
  for (let from = start; from < end;) {
    by.lastIndex = from;
    const match = by.exec(text);
    const to = match === null ? end : Math.min(end, match.index);
    yield { start: from, end: to, by: match?.[0] ?? "" };
    from = to + (match?.[0].length ?? 1);
  }
}
