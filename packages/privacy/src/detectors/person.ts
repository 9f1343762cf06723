import type { Detector, Report } from "../detector.js";
import { matchesAt } from "../text/match-at.js";
import { isInsideStandIn } from "../text/stand-ins.js";

/** Longest vCard or JSON object that is read. */
const cardMax = 16_384;
const cardLine = /(?:[A-Za-z0-9-]{1,20}\.)?(FN|N|NICKNAME|ADR|LABEL|BDAY|ORG|TEL|EMAIL)(?:;[^:\n]{0,200})?:(?=[^\n])/iy;
const personType = /"?@type"?\s{0,4}:\s{0,4}"Person"/iy;
const property =
  /"(name|givenName|familyName|additionalName|alternateName|address|streetAddress|postalCode|addressLocality|birthDate|telephone|email|taxID)"\s{0,4}:\s{0,4}"((?:[^"\\\n]|\\.){1,300})"/gi;

/**
 * Names and addresses where structure says what they are: lines of a vCard (RFC 6350) and the properties of a JSON-LD
 * object of type `Person` (schema.org). Names in free text are not found: that needs more than rules.
 */
export const person: Detector = {
  kind: "name",
  alsoFinds: ["address", "date_of_birth"],
  tier: "identifier",
  anchors: ["begin:vcard", "@type"],
  anchorsStartWords: true,
  find({ text }, { starts, anchors }, report) {
    let done = 0;
    starts.forEach((at, index) => {
      if (at < done) return;
      if (anchors[index] === 0) done = vcard(text, at, report);
      else if (matchesAt(personType, text, text[at - 1] === '"' ? at - 1 : at)) done = jsonLd(text, at, report);
    });
  },
};

function vcard(text: string, at: number, report: Report): number {
  const limit = Math.min(text.length, at + cardMax);
  const close = text.slice(at, limit).search(/^END:VCARD/im);
  const end = close < 0 ? limit : at + close;
  for (let from = at; from >= 0 && from < end;) {
    cardLine.lastIndex = from;
    const [line = "", property = ""] = cardLine.exec(text) ?? [];
    const start = from + line.length;
    const newline = text.indexOf("\n", from);
    // To the end of the line, however long: a part of it would be found again and again.
    const value = line === "" ? "" : text.slice(start, newline < 0 ? text.length : newline);
    if (value.trim() !== "") report(start, start + value.trimEnd().length, "vcard", kindOf(property));
    from = newline < 0 ? -1 : newline + 1;
  }
  return end;
}

function kindOf(property: string): string {
  if (/^adr|label|address|postal|locality/i.test(property)) return "address";
  return /bday|birth/i.test(property) ? "date_of_birth" : "name";
}

/** The object around `@type`: from its opening brace to where the braces balance. */
function jsonLd(text: string, at: number, report: Report): number {
  let start = at;
  for (let depth = 0; start > 0 && at - start < cardMax; start--) {
    const unit = text[start];
    if (unit === "}") depth++;
    else if (unit === "{" && depth-- === 0) break;
  }
  let end = at;
  for (let depth = 1; end < text.length && end - at < cardMax && depth > 0; end++) {
    if (text[end] === "{") depth++;
    else if (text[end] === "}") depth--;
  }
  for (const match of text.slice(start, end).matchAll(property)) {
    const value = match[2] ?? "";
    const from = start + match.index + match[0].length - value.length - 1;
    if (isInsideStandIn(text, from + 1)) continue;
    report(from, from + value.length, "json-ld", kindOf(match[1] ?? ""));
  }
  return end;
}
