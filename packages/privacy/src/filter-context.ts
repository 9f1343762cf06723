import { classify } from "./classify.js";
import { compilePolicy } from "./compiled-policy.js";
import { filterContent, pageSignals } from "./fields/content.js";
import { filterTabMetadata } from "./fields/tab-metadata.js";
import { maxLevel, type PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { readInput } from "./read-input.js";
import { redactRecord } from "./redact-record.js";
import { redactText } from "./redact-text.js";
import { redactUrl } from "./redact-url.js";
import { addCounts, placeholder, type RedactionCounts } from "./spans.js";
import { TimeLimit, type TimeOptions } from "./time-limit.js";
import type { FilteredContext, FilterInput, FilterOutcome } from "./types.js";

type Captured = Extract<FilterOutcome, { captured: true }>;

/** Longer content is not filtered but reduced to `restricted`: eight times the limit of the service, in UTF-16 units. */
const contentLengthMax = 8 * 1024 * 1024;

/**
 * Filters a context before it is sent or stored: decides the effective level (the maximum of what was asked for,
 * the operator's minimum, the user's rules, the site's categories and signals of the page), then filters every field.
 *
 * Fails closed: when a part of the filter throws or its bounds are passed, and when a field of the input is missing, of another
 * type or throws when it is read, the outcome is `restricted` with `failedClosed: true`. Where not even the addresses, or whether
 * the window is private, can be read, nothing is captured: reason `filter:malformed`. So it never throws for an input, whatever
 * that is; it throws only `RangeError`, for a policy or a `maxMs` that is not valid. After `maxMs` it fails closed, too. Pure: the input is not changed, each of its fields is read
 * once, and the outcome never holds a value that was removed.
 *
 * @example
 * const outcome = filterContext({ ...context, privacyLevel: "private" }, { minimumLevel: "private" });
 * if (outcome.captured) store(outcome.context, outcome.level);
 */
export function filterContext(input: FilterInput, policy: FilterPolicy = {}, options: TimeOptions = {}): FilterOutcome {
  compilePolicy(policy);
  const limit = new TimeLimit(options);
  const given = readInput(input);
  if (!given.isReadable) return { captured: false, reasons: ["filter:malformed"] };
  return filterRead(given.input, given.isWhole, { policy, limit });
}

function filterRead(input: FilterInput, isWhole: boolean, { policy, limit }: Rules): FilterOutcome {
  if (input.tabMetadata.incognito === true) return { captured: false, reasons: ["private-window"] };
  // Both addresses are stored, so both decide: a client cannot hide a page behind the other one.
  const places = [...new Set([input.url, input.tabMetadata.url])].map((url) => classify(url, { policy }));
  const refused = places.filter(({ captured }) => !captured);
  if (refused.length > 0) return { captured: false, reasons: [...new Set(refused.flatMap(({ reasons }) => reasons))] };
  const reasons = [...new Set(places.flatMap((place) => place.reasons))];
  const closed = (reason: string, failure: string): FilterOutcome => ({
    ...filterAt(input, "restricted", { policy, limit: new TimeLimit({}), reasons: [...reasons, reason] }),
    failedClosed: true,
    failure,
  });
  if (!isWhole) return closed("filter:malformed", "TypeError");
  try {
    if (input.content.length > contentLengthMax) throw new RangeError("content is too long to filter");
    return filterAt(input, effectiveLevel(input, { policy, limit, reasons, places }), { policy, limit, reasons });
  } catch (error) {
    return closed("filter:failed", error instanceof Error ? error.name : typeof error);
  }
}

interface Rules {
  readonly policy: FilterPolicy;
  readonly limit: TimeLimit;
}

interface Grounds extends Rules {
  /** Added to, in place. */
  readonly reasons: string[];
}

function effectiveLevel(
  input: FilterInput,
  { policy, reasons, places }: Grounds & { places: ReadonlyArray<{ level: PrivacyLevel | undefined }> },
): PrivacyLevel {
  let level = places.reduce((highest, place) => maxLevel(highest, place.level ?? "public"), input.privacyLevel);
  const minimum = policy.minimumLevel;
  if (minimum !== undefined && maxLevel(level, minimum) !== level) {
    reasons.push("operator:minimum");
    level = minimum;
  }
  const signals = pageSignals(input);
  reasons.push(...signals);
  return signals.length > 0 ? "restricted" : level;
}

function filterAt(input: FilterInput, level: PrivacyLevel, { policy, limit, reasons }: Grounds): Captured {
  const redactions: RedactionCounts = {};
  if (level === "restricted") {
    // Nothing else of the input is read, so what made the filter fail cannot make this fail.
    const context: FilteredContext = {
      url: redactUrl(input.url, level, { policy }).url,
      title: placeholder("title"),
      content: "",
      contentFormat: "text",
      tabMetadata: filterTabMetadata(input.tabMetadata, level, { policy }),
      metadata: {},
    };
    return { captured: true, context, level, reasons, redactions, failedClosed: false };
  }
  const take = <TResult extends { readonly redactions: RedactionCounts }>(result: TResult): TResult => {
    addCounts(redactions, result.redactions);
    return result;
  };
  const content = take(filterContent(input, level, { policy, ...limit.rest }));
  const { url } = take(redactUrl(input.url, level, { policy, ...limit.rest }));
  const title = take(redactText(input.title, level, { policy, ...limit.rest, place: "title" })).text;
  const done = { url: { given: input.url, filtered: url }, title: { given: input.title, filtered: title } };
  const context: FilteredContext = {
    url,
    title,
    content: content.text,
    contentFormat: content.format,
    // Not counted: the tab repeats url and title of the context.
    tabMetadata: filterTabMetadata(input.tabMetadata, level, { policy, ...limit.rest, done }),
    metadata: flat(take(redactRecord(input.metadata, level, { policy, ...limit.rest })).record),
  };
  return { captured: true, context, level, reasons, redactions, failedClosed: false };
}

/** Keys and values may have become others; what is not flat was dropped when the input was read. */
function flat(record: Record<string, unknown>): FilteredContext["metadata"] {
  const kept: FilteredContext["metadata"] = {};
  for (const [key, value] of Object.entries(record)) {
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") kept[key] = value;
  }
  return kept;
}
