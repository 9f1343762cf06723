import { requireLevel, requireRecord } from "./arguments.js";
import { compilePolicy, defaultPolicy } from "./compiled-policy.js";
import { droppedKeys, referrerKey, iconKey } from "./data/record-keys.js";
import { isSecretKey } from "./data/secret-keys.js";
import { FilterBoundsError, TimeLimit } from "./time-limit.js";
import { besideName } from "./fields/beside-name.js";
import { namesPassword } from "./fields/field-rules.js";
import { isAtMost, type PrivacyLevel } from "./levels.js";
import { redactText, type RedactTextOptions } from "./redact-text.js";
import { redactUrl } from "./redact-url.js";
import { addCounts, placeholder, type RedactionCounts } from "./spans.js";
import { withoutStandIns } from "./text/stand-ins.js";

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
  return { record: filterEntries(record, { level, options, limit: new TimeLimit(options), redactions, within: [record] }), redactions };
}

interface RecordTask {
  readonly limit: TimeLimit;
  readonly level: PrivacyLevel;
  readonly options: RedactTextOptions;
  readonly redactions: RedactionCounts;
  /** The objects that the value is in, the record first: none of them is looked into again. */
  readonly within: readonly object[];
}

function filterEntries(source: Record<string, unknown>, task: RecordTask): Record<string, unknown> {
  const kept: Array<[string, unknown]> = [];
  const keys = new DistinctKeys();
  for (const [key, value] of Object.entries(source)) {
    if (droppedKeys.test(key)) {
      addCounts(task.redactions, { dropped: 1 });
      continue;
    }
    const filteredKey = filterString(key, task);
    // By what it was called, and by what it will be called when it is filtered again.
    const filtered =
      holdsSecret(key, value) || holdsSecret(filteredKey, value) ? removeValue(value, task) : filterNamed(filteredKey, value, task);
    if (filtered === undefined) continue;
    const distinct = keys.add(filteredKey);
    // A number that the filter takes for something, such as a PIN, would be another one the next time.
    if (distinct !== filteredKey && filterString(distinct, { ...task, redactions: {} }) !== distinct) {
      addCounts(task.redactions, { dropped: 1 });
      continue;
    }
    kept.push([distinct, distinct === filteredKey ? filtered : filterNamed(distinct, filtered, task)]);
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(kept);
}

/** Keys that became the same are numbered, so that no entry takes the place of another. */
class DistinctKeys {
  readonly #taken = new Set<string>();
  readonly #numbers = new Map<string, number>();

  add(key: string): string {
    let number = this.#numbers.get(key) ?? 1;
    let distinct = number === 1 ? key : `${key}#${number}`;
    while (this.#taken.has(distinct)) distinct = `${key}#${++number}`;
    this.#numbers.set(key, number);
    this.#taken.add(distinct);
    return distinct;
  }
}

function holdsSecret(key: string, value: unknown): boolean {
  if (value === null || value === "" || typeof value === "boolean" || value === undefined) return false;
  const name = withoutStandIns(key).trim();
  return isSecretKey(name) || namesPassword(name);
}

function removeValue(value: unknown, { redactions }: RecordTask): string {
  if (value !== placeholder("secret")) addCounts(redactions, { secret: 1 });
  return placeholder("secret");
}

function filterNamed(key: string, value: unknown, task: RecordTask): unknown {
  if (typeof value !== "string" || !isAtMost("filtered", task.level) || !url.test(value)) return filterValue(value, task, key);
  if (referrerKey.test(key)) return filterValue(redactUrl(value, "restricted", task.options).url, task, key);
  const filtered = filterValue(value, task, key);
  return iconKey.test(key) ? String(filtered).replace(/[?#].*$/s, "") : filtered;
}

function filterValue(value: unknown, task: RecordTask, name: string): unknown {
  if (typeof value === "string") return filterString(value, task, name);
  if (typeof value === "number") {
    const text = String(value);
    const filtered = filterString(text, task, name);
    return filtered === text ? value : filtered;
  }
  if (typeof value === "boolean" || value === null) return value;
  return typeof value === "object" ? filterObject(value, task, name) : undefined;
}

function filterObject(value: object, task: RecordTask, name: string): unknown {
  if (task.within.length > depthMax || task.within.includes(value)) {
    addCounts(task.redactions, { dropped: 1 });
    return undefined;
  }
  const inner = { ...task, within: [...task.within, value] };
  if (Array.isArray(value)) return value.map((item) => filterValue(item, inner, name) ?? null);
  return filterEntries(value as Record<string, unknown>, inner);
}

/** `name` is that of the entry: it may say what the value is. A key has none. */
function filterString(value: string, task: RecordTask, name = ""): string {
  let current = value;
  // What is left of a text may be a URL, which is filtered by other rules.
  for (let round = 0; round < roundsMax; round++) {
    const next = filterStringOnce(current, task, name);
    if (next === current) return current;
    current = next;
  }
  throw new FilterBoundsError("filtering does not come to rest");
}

function filterStringOnce(value: string, { level, options: given, limit, redactions }: RecordTask, name: string): string {
  const options = given.maxMs === undefined ? given : { ...given, ...limit.rest };
  if (url.test(value)) {
    const result = redactUrl(value, level, options);
    addCounts(redactions, result.redactions);
    return result.url;
  }
  const result = redactText(value, level, options);
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  const named = besideName(result.text, name, { level, place: "content", policy, limit });
  addCounts(redactions, result.redactions);
  addCounts(redactions, named.redactions);
  return named.text;
}
