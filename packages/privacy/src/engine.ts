import { isTierActive, type CompiledPolicy, type Place } from "./compiled-policy.js";
import { findDenied } from "./deny-list.js";
import { anchorAutomaton, detectors } from "./detectors/registry.js";
import { isAtMost, type PrivacyLevel } from "./levels.js";
import { countWhile } from "./text/count-while.js";
import { mergeSpans, nestedUrlPlaceholder, placeholder, type Span, urlPlaceholder } from "./spans.js";
import { FilterBoundsError, type TimeLimit } from "./time-limit.js";
import { type Hits, scanOriginal } from "./text/scan.js";
import { isOnlyStandIns } from "./text/stand-ins.js";
import { UrlPlaces } from "./url/inside-url.js";

/** What is to be looked for. */
export interface Request {
  readonly level: PrivacyLevel;
  readonly place: Place;
  readonly policy: CompiledPolicy;
  /** In markdown a backslash before any punctuation hides nothing. Default `text`. */
  readonly format?: "text" | "markdown" | undefined;
  readonly limit?: TimeLimit;
}

/** Rounds after which a text that still changes is given up; two are usual. */
const roundsMax = 8;

/**
 * Everything to be removed, as disjoint spans of the original text. What was removed can bring a context word
 * closer to another value, so the result is looked at again until nothing is found: that is what makes
 * filtering idempotent. Throws {@link FilterBoundsError} when that does not end, or not in time.
 */
export function findSpans(original: string, request: Request): Span[] {
  return filterSpans(original, request).spans;
}

/** The findings of one pass, for callers that repeat it until nothing is found. */
export function findSpansOnce(original: string, request: Request): Span[] {
  return mergeSpans(findOnce(original, request));
}

/** As {@link findSpans}, with the text in which every span is replaced. */
export function filterSpans(original: string, request: Request): { spans: Span[]; text: string } {
  const found = findOnce(original, request);
  if (found.length === 0) return { spans: found, text: original };
  let spans = mergeSpans(found);
  for (let round = 1; round < roundsMax; round++) {
    const { text, toOriginal } = rebuild(original, spans);
    const more = findOnce(text, request);
    if (more.length === 0) return { spans, text };
    spans = mergeSpans([...spans, ...more.map((span) => ({ ...span, ...toOriginal(span.start, span.end) }))]);
  }
  throw new FilterBoundsError("filtering does not come to rest");
}

/** The text with every span replaced. */
export function applySpans(original: string, spans: readonly Span[]): string {
  return spans.length === 0 ? original : rebuild(original, spans).text;
}

const nowhere: Hits = { starts: [], anchors: [] };

function findOnce(original: string, { level, place, policy, format, limit }: Request): Span[] {
  const scan = scanOriginal(original, format, anchorAutomaton());
  const { text } = scan;
  const spans: Span[] = [];
  const hasDigits = scan.runStarts.length > 0;
  detectors.forEach((detector, index) => {
    const hits = scan.hits[index];
    if (hits === undefined && !(hasDigits && detector.readsDigits === true) && detector.readsSigns !== true) return;
    const isActive = isTierActive(detector.tier, level, place);
    if (!isActive && policy.on.size === 0) return;
    limit?.check();
    detector.find(scan, hits ?? nowhere, (start, end, rule, kind = detector.kind) => {
      // A policy may name the detector or, where it finds several kinds, one of them; the floor is not up to it.
      if (end <= start || (detector.tier !== "floor" && (policy.off.has(detector.kind) || policy.off.has(kind)))) return;
      if (isActive || policy.on.has(detector.kind) || policy.on.has(kind)) spans.push({ start, end, kind, rule });
    });
  });
  for (const { kind, from, regex } of policy.patterns) {
    if (!isAtMost(from, level)) continue;
    for (const match of text.matchAll(regex)) {
      if (match[0] !== "") spans.push({ start: match.index, end: match.index + match[0].length, kind, rule: "operator:pattern" });
    }
  }
  if (policy.denyList !== undefined && isAtMost("filtered", level)) {
    findDenied(text, policy.denyList, (start, end, rule) => spans.push({ start, end, kind: "denied", rule }));
  }
  // Text that was filtered before holds stand-ins: they are not values, although their kinds look like names of some.
  const found = text.includes("REDACTED") ? spans.filter((span) => !isOnlyStandIns(text, span.start, span.end)) : spans;
  return text.length === original.length
    ? found
    : found.map(({ start, end, kind, rule }) => ({ ...scan.toOriginal(start, end), kind, rule }));
}

/** What is put in place of a span: bare inside a URL, where brackets would have to be escaped. */
export function standInFor(text: string, span: Span, urls: UrlPlaces): string {
  // In a URL that is nested in another the value has no `=` of its own before it, so its ends are marked.
  if (text[span.start - 3] === "%" && /^3D$/i.test(text.slice(span.start - 2, span.start))) return nestedUrlPlaceholder;
  return urls.has(span) ? urlPlaceholder : placeholder(span.kind);
}

interface Rebuilt {
  readonly text: string;
  /** Maps a stretch of the rebuilt text to the original; a stretch that touches a placeholder takes in its whole span. */
  toOriginal(start: number, end: number): { start: number; end: number };
}

function rebuild(original: string, spans: readonly Span[]): Rebuilt {
  const parts: string[] = [];
  const placed: Array<{ readonly start: number; readonly end: number; readonly span: Span }> = [];
  const urls = new UrlPlaces(original);
  let length = 0;
  let at = 0;
  for (const span of spans) {
    const kept = original.slice(at, span.start);
    const stand = standInFor(original, span, urls);
    parts.push(kept, stand);
    placed.push({ start: length + kept.length, end: length + kept.length + stand.length, span });
    length += kept.length + stand.length;
    at = span.end;
  }
  parts.push(original.slice(at));
  const edge = (offset: number, isEnd: boolean): number => {
    // The last placeholder that starts before the offset.
    const low = countWhile(placed, ({ start }) => start < offset || (!isEnd && start === offset));
    const before = placed[low - 1];
    if (before === undefined) return offset;
    if (offset < before.end || (isEnd && offset === before.end)) return isEnd ? before.span.end : before.span.start;
    return before.span.end + (offset - before.end);
  };
  return { text: parts.join(""), toOriginal: (start, end) => ({ start: edge(start, false), end: edge(end, true) }) };
}
