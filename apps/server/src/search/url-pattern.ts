import { urlTerm } from "./index-terms.js";
import type { Match } from "./search-index.js";

/** Stand before and behind the URL, so that its first and last characters begin a trigram too, and for what no term of the index has. */
const [start, end, other] = ["\ue000", "\ue001", "\ue002"];
/** Characters of a piece of a pattern that are looked up; the rest is compared. */
const pieceCharsMax = 48;

const clean = (text: string): string => text.toLowerCase().replace(/\s/g, other);

/** Every three characters in a row of a URL, in order, as index terms. */
export function urlGrams(url: string): string[] {
  return gramsOf(`${start}${clean(url)}${end}${end}`);
}

/** Contexts whose URL may match the pattern: a case-insensitive substring, or a wildcard over the whole URL when it has a `*`. */
export function urlMatches(pattern: string): Match[] {
  const pieces = clean(pattern).split("*");
  const isWildcard = pieces.length > 1;
  return pieces.flatMap((piece, index): Match[] => {
    if (piece === "") return [];
    const head = isWildcard && index === 0 ? start : "";
    const tail = isWildcard && index === pieces.length - 1 ? end + end : "";
    const text = tail === "" ? (head + piece).slice(0, pieceCharsMax) : (head + piece + tail).slice(-pieceCharsMax);
    return text.length < 3 ? [{ prefix: urlTerm(text) }] : [{ phrase: gramsOf(text) }];
  });
}

/**
 * Whether {@link urlMatches} says all there is to say about a pattern, for an engine that finds phrases exactly. Engines may keep any
 * control character as another.
 */
export function isExactPattern(pattern: string): boolean {
  return pattern.length <= pieceCharsMax && !/[*\s\p{Cc}\ue000-\ue002]/u.test(pattern);
}

function gramsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => urlTerm(text.slice(at, at + 3)));
}

/**
 * Whether a URL matches, case-insensitively: `pattern` is a substring, or with a `*` a wildcard over the whole URL.
 * Each piece between stars is found at its first place, so the time is linear in the URL for any number of stars.
 */
export function urlMatcher(pattern: string): (url: string) => boolean {
  const [head = "", ...rest] = pattern.toLowerCase().split("*");
  const tail = rest.pop();
  if (tail === undefined) return (url) => url.toLowerCase().includes(head);
  return (url) => {
    const text = url.toLowerCase();
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    let at = head.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= text.length - tail.length;
  };
}
