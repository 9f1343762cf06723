import { applySpans, findSpans, type Request } from "../engine.js";
import { countSpans, mergeSpans, type RedactionCounts } from "../spans.js";

/**
 * Filters a value as the texts `name: value` and `"name": "value"` show it: the name of a field or an entry may say what the value is. The first is
 * how labels stand in pages; the quotes of the second tell where the value ends.
 */
export function besideName(value: string, name: string, request: Request): { text: string; redactions: RedactionCounts } {
  if (name === "" || value === "") return { text: value, redactions: {} };
  const spans = [
    { lead: `${name}: `, tail: "" },
    { lead: `"${name}": "`, tail: '"' },
  ].flatMap(({ lead, tail }) =>
    findSpans(lead + value + tail, request)
      .map((span) => ({ ...span, start: Math.max(0, span.start - lead.length), end: Math.min(value.length, span.end - lead.length) }))
      .filter(({ start, end }) => start < end),
  );
  const merged = mergeSpans(spans);
  return { text: applySpans(value, merged), redactions: countSpans(merged) };
}
