import type { PrivacyLevel } from "../levels.js";
import { redactText, type RedactTextOptions } from "../redact-text.js";
import { addCounts, placeholder, type RedactionCounts } from "../spans.js";
import { classifyField, isCritical } from "./field-rules.js";

/** A field of a captured form, as the extension sends it. */
interface FormField {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly autocomplete?: string;
  readonly filled: boolean;
  readonly value?: string;
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

function readField(field: Record<string, unknown>): FormField {
  const text = (key: string): string | undefined =>
    typeof field[key] === "string" ? field[key] : typeof field[key] === "number" ? String(field[key]) : undefined;
  const label = text("label");
  const autocomplete = text("autocomplete");
  const value = text("value");
  return {
    name: text("name") ?? "",
    type: text("type") ?? "text",
    ...(label === undefined ? {} : { label }),
    ...(autocomplete === undefined ? {} : { autocomplete }),
    filled: typeof field["filled"] === "boolean" ? field["filled"] : value !== undefined && value !== "",
    ...(value === undefined ? {} : { value }),
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
  const filtered = (text: string): string => {
    const result = redactText(text, level, options);
    addCounts(redactions, result.redactions);
    return result.text;
  };
  const kept = fields.map((field) => {
    const { name, type, label, autocomplete, filled, value } = field;
    const shown = value === undefined || value === "" ? value : keptValue(field, value);
    return {
      name: filtered(name),
      type: filtered(type),
      ...(label === undefined ? {} : { label: filtered(label) }),
      ...(autocomplete === undefined ? {} : { autocomplete: filtered(autocomplete) }),
      filled,
      ...(shown === undefined ? {} : { value: shown }),
    };
  });
  return { text: JSON.stringify(kept), redactions };

  function keptValue(field: FormField, value: string): string | undefined {
    const kind = classifyField({ name: field.name, type: field.type, label: field.label ?? "", autocomplete: field.autocomplete ?? "" });
    if (kind === "removed" || level === "filtered") {
      addCounts(redactions, { form_value: 1 });
      return undefined;
    }
    if (kind === "contact" && level === "private") {
      if (value !== placeholder("contact")) addCounts(redactions, { contact: 1 });
      return placeholder("contact");
    }
    return filtered(value);
  }
}
