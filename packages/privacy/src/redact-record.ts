import type { PrivacyLevel } from "./levels.js";
import { redactText, type RedactTextOptions } from "./redact-text.js";
import { isSecretKey } from "./data/secret-keys.js";
import { addCounts, placeholder, type RedactionCounts } from "./spans.js";

/** Keys that are never stored, whatever the level. */
const droppedKeys = /^(?:cookies?|set-?cookie|headers?|(?:request|response)headers|password|localstorage|sessionstorage|storage|indexeddb)$/i;
/** Deeper JSON is not looked into but dropped. */
const depthMax = 32;

/**
 * Filters any JSON record, such as metadata, a config or the details of an error: every string as content, values of
 * secret keys removed, `cookies`, `headers`, `password` and storage dumps dropped; `{}` at `restricted`.
 */
export function redactRecord(
  record: Record<string, unknown>,
  level: PrivacyLevel,
  options: RedactTextOptions = {},
): { record: Record<string, unknown>; redactions: RedactionCounts } {
  const redactions: RedactionCounts = {};
  if (level === "restricted") return { record: {}, redactions };
  const visit = (value: unknown, depth: number): unknown => {
    if (depth > depthMax) return null;
    if (typeof value === "string") return filtered(value);
    if (typeof value === "number") {
      const text = filtered(String(value));
      return text === String(value) ? value : text;
    }
    if (Array.isArray(value)) return value.map((item) => visit(item, depth + 1));
    return value !== null && typeof value === "object" ? entries(value as Record<string, unknown>, depth + 1) : value;
  };
  const filtered = (value: string): string => {
    const result = redactText(value, level, options);
    addCounts(redactions, result.redactions);
    return result.text;
  };
  const entries = (source: Record<string, unknown>, depth: number): Record<string, unknown> => {
    const kept: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    for (const [key, value] of Object.entries(source)) {
      if (droppedKeys.test(key)) {
        addCounts(redactions, { dropped: 1 });
      } else if (isSecretKey(key) && value !== null && value !== "" && typeof value !== "boolean" && value !== placeholder("secret")) {
        addCounts(redactions, { secret: 1 });
        kept[filtered(key)] = placeholder("secret");
      } else {
        kept[filtered(key)] = visit(value, depth);
      }
    }
    return { ...kept };
  };
  return { record: entries(record, 0), redactions };
}
