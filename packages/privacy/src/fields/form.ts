import { compilePolicy, defaultPolicy } from "../compiled-policy.js";
import { FilterBoundsError, TimeLimit } from "../time-limit.js";
import type { PrivacyLevel } from "../levels.js";
import { redactText, type RedactTextOptions } from "../redact-text.js";
import { addCounts, placeholder, type RedactionCounts } from "../spans.js";
import { besideName } from "./beside-name.js";
import { classifyField, type FieldClass, isCritical } from "./field-rules.js";

/** A field of a captured form, as the extension sends it. */
interface FormField {
  readonly name: string;
  readonly type: string;
  readonly label: string | undefined;
  readonly autocomplete: string | undefined;
  readonly filled: boolean;
  readonly value: string | undefined;
}

/** Reads the content of a form context; `undefined` when it is not a JSON array of objects. */
export function parseForm(content: string): FormField[] | undefined {
  try {
    const parsed: unknown = JSON.parse(content);
    if (!Array.isArray(parsed) || !parsed.every((field) => typeof field === "object" && field !== null && !Array.isArray(field)))
      return undefined;
    return parsed.map((field) => readField(field as Record<string, unknown>));
  } catch {
    return undefined;
  }
}

/** Whether content of which nobody says what it is can be that of a form: named entries, one of which at least has a value. */
export function isLikeForm(content: string): boolean {
  const fields = parseForm(content) ?? [];
  return fields.every(({ name }) => name !== "") && fields.some(({ value }) => value !== undefined);
}

function readField(field: Record<string, unknown>): FormField {
  const text = (key: string): string | undefined =>
    typeof field[key] === "string" ? field[key] : typeof field[key] === "number" ? String(field[key]) : undefined;
  const value = text("value");
  return {
    name: text("name") ?? "",
    type: text("type") ?? "text",
    label: text("label"),
    autocomplete: text("autocomplete"),
    filled: typeof field["filled"] === "boolean" ? field["filled"] : value !== undefined && value !== "",
    value,
  };
}

/** Whether a password or card field of the form is filled: then the page is `restricted`. */
export function hasFilledCriticalField(fields: readonly FormField[]): boolean {
  return fields.some(
    (field) => isCritical({ type: field.type, autocomplete: field.autocomplete ?? "" }) && (field.filled || (field.value ?? "") !== ""),
  );
}

/**
 * Filters the fields of a form: values of sensitive fields are always removed, contact details are masked from `private`
 * on, all values go at `filtered`. Name, type, label, autofill tokens and `filled` are kept. The result is JSON.
 */
export function filterForm(
  fields: readonly FormField[],
  level: PrivacyLevel,
  options: RedactTextOptions,
): { text: string; redactions: RedactionCounts } {
  const redactions: RedactionCounts = {};
  if (level === "restricted") return { text: "", redactions };
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  const limit = new TimeLimit(options);
  const filtered = (text: string): string => {
    const result = redactText(text, level, { ...options, ...limit.rest });
    addCounts(redactions, result.redactions);
    return result.text;
  };
  const kept = fields.map((field) => {
    const { label, autocomplete, filled, value } = field;
    // What is undefined is no part of the JSON.
    const stored = {
      name: filtered(field.name),
      type: filtered(field.type),
      label: label === undefined ? label : filtered(label),
      autocomplete: autocomplete === undefined ? autocomplete : filtered(autocomplete),
      filled,
    };
    // By what it was called, and by what it will be called when it is filtered again.
    const kinds = [classOf(field), classOf(stored)];
    const kind = kinds.includes("removed") ? "removed" : kinds.includes("contact") ? "contact" : "open";
    const shown = value === undefined || value === "" ? value : keptValue(value, kind, [stored.label, stored.name]);
    return { ...stored, value: shown };
  });
  return { text: JSON.stringify(kept), redactions };

  function keptValue(value: string, kind: FieldClass, names: ReadonlyArray<string | undefined>): string | undefined {
    if (kind === "removed" || level === "filtered") {
      addCounts(redactions, { form_value: 1 });
      return undefined;
    }
    if (kind === "contact" && level === "private") {
      if (value !== placeholder("contact")) addCounts(redactions, { contact: 1 });
      return placeholder("contact");
    }
    let current = value;
    // What is removed beside one name can change what the text by itself says.
    for (let round = 0; round < roundsMax; round++) {
      const next = names.reduce<string>((text, name) => beside(text, name ?? ""), filtered(current));
      if (next === current) return current;
      current = next;
    }
    throw new FilterBoundsError("filtering does not come to rest");
  }

  function beside(value: string, name: string): string {
    const result = besideName(value, name, { level, place: "content", policy, limit });
    addCounts(redactions, result.redactions);
    return result.text;
  }
}

const roundsMax = 6;

function classOf({ name, type, label = "", autocomplete = "" }: Omit<FormField, "filled" | "value">): FieldClass {
  return classifyField({ name, type, label, autocomplete });
}
