import { type PrivacyLevel, privacyLevels } from "./levels.js";

/** What a value is, in the words of an error; never the value itself. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : typeof value;
}

/** Throws `TypeError` unless `value` is a string: what is to be filtered must not pass through unread. */
export function requireText(value: unknown, call: string): asserts value is string {
  if (typeof value !== "string") throw new TypeError(`${call} takes a string, not ${kindOf(value)}; filter a JSON value with redactRecord`);
}

/** Throws `TypeError` unless `value` is an object with fields. */
export function requireRecord(value: unknown, call: string): asserts value is Record<string, unknown> {
  if (typeof value !== "object" || value === null)
    throw new TypeError(`${call} takes an object, not ${kindOf(value)}; filter a string with redactText`);
}

/** Throws `TypeError` unless `value` is a level: an unknown one would be lower than all. */
export function requireLevel(value: unknown, call: string): asserts value is PrivacyLevel {
  if (!isLevel(value)) throw new TypeError(`${call} takes a level, one of ${privacyLevels.join(", ")}`);
}

/** Whether a value is one of the levels. */
export function isLevel(value: unknown): value is PrivacyLevel {
  return privacyLevels.some((level) => level === value);
}
