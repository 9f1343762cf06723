import { placeholder } from "../spans.js";
import { alternative, attributeValue } from "./attributes.js";
import { droppedElements, personClasses, personProperties, unreadElements, voidElements } from "../data/html-names.js";
import { isSelfClosed } from "./elements.js";
import { decodePieces } from "./entities.js";
import { PageText } from "./page-text.js";
import { type StartTag, tokenizeHtml } from "./tokenizer.js";

/** Parts of a page that are not its text. */
const skippedElements = new Set([...droppedElements, ...unreadElements, "head"]);

/**
 * The text of a page, for the level where nothing else of it is kept, laid out as {@link PageText} says; alternative texts of
 * images stay. `<address>`, and names and addresses that microdata or microformats mark as a
 * person's, become stand-ins, counted in `redactions`.
 */
export function htmlToText(html: string): { text: string; redactions: Record<string, number> } {
  const page = new PageText();
  const redactions: Record<string, number> = {};
  let skipping: { name: string; depth: number } | undefined;
  /** Depth of the element that is marked as a person, 0 outside of one. */
  let person: { name: string; depth: number } | undefined;
  for (const token of tokenizeHtml(html)) {
    if (skipping !== undefined) {
      if (token.type === "start" && token.name === skipping.name && !isEmptyElement(html, token)) skipping.depth++;
      if (token.type === "end" && token.name === skipping.name && --skipping.depth === 0) skipping = undefined;
      continue;
    }
    if (token.type === "text" || (token.type === "raw" && token.name === "title")) {
      page.add(decodePieces(html, token.start, token.end));
      continue;
    }
    if (token.type === "end") {
      if (person !== undefined && token.name === person.name && --person.depth === 0) person = undefined;
      page.close(token.name);
      continue;
    }
    if (token.type !== "start") continue;
    page.open(token.name);
    const isEmpty = isEmptyElement(html, token);
    if (person !== undefined && token.name === person.name && !isEmpty) person.depth++;
    const kind = personalKind(html, token, person !== undefined);
    if (kind === undefined && !isEmpty && person === undefined && isPerson(html, token)) person = { name: token.name, depth: 1 };
    if (kind !== undefined) {
      page.addApart([{ start: 0, end: 0, text: placeholder(kind) }]);
      redactions[kind] = (redactions[kind] ?? 0) + 1;
    }
    if (!isEmpty && (kind !== undefined || skippedElements.has(token.name))) skipping = { name: token.name, depth: 1 };
    else if (token.name === "img" || token.name === "area") page.addApart(alternative(html, token));
  }
  return { text: page.text, redactions };
}

function isEmptyElement(html: string, token: StartTag): boolean {
  return voidElements.has(token.name) || isSelfClosed(html, token);
}

function classes(html: string, token: StartTag): string[] {
  return attributeValue(html, token.attributes, "class").toLowerCase().split(/\s/);
}

function isPerson(html: string, token: StartTag): boolean {
  return (
    /schema\.org\/Person\b/i.test(attributeValue(html, token.attributes, "itemtype")) ||
    classes(html, token).some((name) => name === "vcard" || name === "h-card")
  );
}

function personalKind(html: string, token: StartTag, isInPerson: boolean): string | undefined {
  if (token.name === "address") return "address";
  const property = attributeValue(html, token.attributes, "itemprop").toLowerCase();
  const marked = classes(html, token).find((name) => personClasses.has(name));
  if (!isInPerson || (!personProperties.has(property) && marked === undefined)) return undefined;
  return /ad[dr]|street|postal/.test(`${property} ${marked ?? ""}`) ? "address" : "name";
}
