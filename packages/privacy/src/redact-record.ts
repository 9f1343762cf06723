import { requireLevel, requireRecord } from "./arguments.js";
import { isSecretKey } from "./data/secret-keys.js";
import { FilterBoundsError } from "./engine.js";
import type { PrivacyLevel } from "./levels.js";
import { redactText, type RedactTextOptions } from "./redact-text.js";
import { redactUrl } from "./redact-url.js";
import { addCounts, placeholder, type RedactionCounts } from "./spans.js";

/** Keys that are never stored, whatever the level: they hold dumps of what a browser keeps secret. */
const droppedKeys =
  /^(?:cookies?|set-?cookies?|(?:request|response)?-?_?headers?|passwords?|local-?_?storage|session-?_?storage|storage(?:dump)?|indexed-?_?db)$/i;
/** Deeper JSON is not looked into but dropped. */
const depthMax = 32;
const roundsMax = 6;
const url = /^[a-z][a-z0-9+.-]{1,20}:\/\/\S{1,8192}$/i;

/**
 * Filters any JSON record, such as metadata, a config or the details of an error: every string as content (a string that
 * is a URL as a URL), values of secret keys removed, `cookies`, `headers`, `password` and storage dumps dropped;
 * `{}` at `restricted`. Keys are filtered too. What is not JSON (functions, symbols, `undefined`) is dropped, and so is what is nested
 * deeper than 32 levels or in itself. Idempotent. Throws `TypeError` for anything but an object. Throws as {@link redactText} does.
 */
export function redactRecord(
  record: Record<string, unknown>,
  level: PrivacyLevel,
  options: RedactTextOptions = {},
): { record: Record<string, unknown>; redactions: RedactionCounts } {
  requireRecord(record, "redactRecord");
  requireLevel(level, "redactRecord");
  const redactions: RedactionCounts = {};
  if (level === "restricted") return { record: {}, redactions };
  return { record: filterEntries(record, { level, options, redactions, within: [record] }), redactions };
}

interface RecordTask {
  readonly level: PrivacyLevel;
  readonly options: RedactTextOptions;
  readonly redactions: RedactionCounts;
  /** The objects that the value is in, the record first: none of them is looked into again. */
  readonly within: readonly object[];
}

function filterEntries(source: Record<string, unknown>, task: RecordTask): Record<string, unknown> {
  const kept: Array<[string, unknown]> = [];
  for (const [key, value] of Object.entries(source)) {
    if (droppedKeys.test(key)) {
      addCounts(task.redactions, { dropped: 1 });
      continue;
    }
    const filtered = holdsSecret(key, value) ? removeValue(value, task) : filterValue(value, task);
    if (filtered !== undefined) kept.push([filterString(key, task), filtered]);
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(kept);
}

function holdsSecret(key: string, value: unknown): boolean {
  return isSecretKey(key) && value !== null && value !== "" && typeof value !== "boolean" && value !== undefined;
}

function removeValue(value: unknown, { redactions }: RecordTask): string {
  if (value !== placeholder("secret")) addCounts(redactions, { secret: 1 });
  return placeholder("secret");
}

function filterValue(value: unknown, task: RecordTask): unknown {
  switch (typeof value) {
    case "string":
      return filterString(value, task);
    case "number": {
      const text = String(value);
      const filtered = filterString(text, task);
      return filtered === text ? value : filtered;
    }
    case "boolean":
      return value;
    case "object":
      return value === null ? null : filterObject(value, task);
    case "bigint":
    case "function":
    case "symbol":
    case "undefined":
      return undefined;
  }
}

function filterObject(value: object, task: RecordTask): unknown {
  if (task.within.length > depthMax || task.within.includes(value)) {
    addCounts(task.redactions, { dropped: 1 });
    return undefined;
  }
  const inner = { ...task, within: [...task.within, value] };
  if (Array.isArray(value)) return value.map((item) => filterValue(item, inner) ?? null);
  return filterEntries(value as Record<string, unknown>, inner);
}

function filterString(value: string, task: RecordTask): string {
  let current = value;
  // What is left of a text may be a URL, which is filtered by other rules.
  for (let round = 0; round < roundsMax; round++) {
    const next = filterStringOnce(current, task);
    if (next === current) return current;
    current = next;
  }
  throw new FilterBoundsError("filtering does not come to rest");
}

function filterStringOnce(value: string, { level, options, redactions }: RecordTask): string {
  if (url.test(value)) {
    const result = redactUrl(value, level, options);
    addCounts(redactions, result.redactions);
    return result.url;
  }
  const result = redactText(value, level, options);
  addCounts(redactions, result.redactions);
  return result.text;
}
