import { standInFor } from "../engine.js";
import type { Span } from "../spans.js";
import { alternative, attributeValue, fieldTraits, isSecretMeta, isValueRemoved } from "./attributes.js";
import { droppedElements, plainAttributes, unreadElements, urlAttributes, voidElements } from "../data/html-names.js";
import { isDroppedAttribute, isSelfClosed } from "./elements.js";
import { decodeEntities, decodePieces, escapeHtml } from "./entities.js";
import { applyEdits, type Edit, JoinedText } from "./joined-text.js";
import { PageText } from "./page-text.js";
import { type HtmlAttribute, type HtmlToken, type StartTag, tokenizeHtml } from "./tokenizer.js";
import type { PrivacyLevel } from "../levels.js";
import { UrlPlaces } from "../url/inside-url.js";

/** What a rewrite needs from outside. */
export interface RewriteTask {
  readonly level: PrivacyLevel;
  /** Spans of the readable text. */
  find(text: string): Span[];
  /** Filters one URL. */
  url(url: string): string;
  /** Counts something that was removed as a whole. */
  removed(kind: string): void;
}

/**
 * Filters HTML that stays HTML (`public`, `private`): drops code, styles, drawings, comments, event handlers and hidden
 * values, filters URL attributes as URLs and everything else as text. What is not touched keeps its spelling. The spans are
 * what was found in text, by place in the source.
 */
export function rewriteHtml(html: string, task: RewriteTask): { html: string; spans: Span[] } {
  const edits: Edit[] = [];
  const page = new PageText();
  const aside = new JoinedText();
  /** A control whose text is read apart. */
  let control: { name: string; depth: number } | undefined;
  const drop = (start: number, end: number): void => void edits.push({ start, end, text: "" });
  let dropping: { name: string; depth: number; start: number } | undefined;
  let isTextRemoved = false;
  for (const token of tokenizeHtml(html)) {
    if (dropping !== undefined) {
      if (token.type === "start" && token.name === dropping.name && !isSelfClosed(html, token)) dropping.depth++;
      if (token.type === "end" && token.name === dropping.name && --dropping.depth === 0) {
        drop(dropping.start, token.end);
        dropping = undefined;
      }
      continue;
    }
    switch (token.type) {
      case "text":
        (control === undefined ? page : aside).add(decodePieces(html, token.start, token.end));
        escapeOpenings(html, token, edits);
        break;
      case "raw":
        if (isTextRemoved) {
          drop(token.start, token.end);
          task.removed("form_value");
        } else if (token.name === "title") {
          page.add(decodePieces(html, token.start, token.end));
        } else {
          aside.separate(`\n${page.label}\n`);
          aside.add(decodePieces(html, token.start, token.end));
        }
        isTextRemoved = false;
        break;
      case "comment":
        drop(token.start, token.end);
        break;
      case "start":
        if (!token.isClosed) {
          // The document ends inside this tag: a browser drops it, and so its attributes cannot leak.
          drop(token.start, token.end);
        } else if (droppedElements.has(token.name)) {
          if (voidElements.has(token.name) || isSelfClosed(html, token)) drop(token.start, token.end);
          else dropping = { name: token.name, depth: 1, start: token.start };
        } else {
          if (control === undefined) {
            page.open(token.name);
            if (unreadElements.has(token.name)) control = { name: token.name, depth: 1 };
            else if (isImage(token.name)) page.addApart(alternative(html, token));
          } else {
            aside.separate("\n");
            if (isImage(token.name)) aside.add(alternative(html, token));
            if (token.name === control.name) control.depth++;
          }
          isTextRemoved = token.name === "textarea" && isValueRemoved(fieldTraits(html, token.attributes), task.level);
          rewriteAttributes(html, token, { task, page, aside, edits });
        }
        break;
      case "end":
        if (!token.isClosed) drop(token.start, token.end);
        else if (token.hasAttributes) edits.push({ start: token.start, end: token.end, text: `</${token.name}>` });
        if (control === undefined) page.close(token.name);
        else if (token.name === control.name && --control.depth === 0) control = undefined;
        break;
      case "doctype":
        break;
    }
  }
  if (dropping !== undefined) drop(dropping.start, html.length);
  const found = [page, aside].map((joined) => {
    const { text } = joined;
    const urls = new UrlPlaces(text);
    return joined.edits(task.find(text), (span) => standInFor(text, span, urls));
  });
  return {
    html: applyEdits(html, [...edits, ...found.flatMap((each) => each.edits)]),
    spans: found.flatMap((each) => each.spans),
  };
}

function isImage(name: string): boolean {
  return name === "img" || name === "area";
}

/** A `<` that opens nothing could open something once its neighbours are gone. */
function escapeOpenings(html: string, token: HtmlToken, edits: Edit[]): void {
  for (let at = html.indexOf("<", token.start); at >= 0 && at < token.end; at = html.indexOf("<", at + 1))
    edits.push({ start: at, end: at + 1, text: "&lt;" });
}

interface Sink {
  readonly task: RewriteTask;
  readonly page: PageText;
  /** Values of attributes and controls, which are not part of the page's text. */
  readonly aside: JoinedText;
  readonly edits: Edit[];
}

function rewriteAttributes(html: string, token: StartTag, { task, page, aside, edits }: Sink): void {
  const { name: element, attributes } = token;
  // What the other attributes say is read once: a tag may have any number of each.
  const hasSecretValue = once(() => isValueRemoved(fieldTraits(html, attributes), task.level));
  const isSecret = once(() => isSecretMeta(html, attributes));
  const isRefresh = once(() => /^refresh$/i.test(attributeValue(html, attributes, "http-equiv")));
  const firstAlt = once(() => attributes.find(({ name }) => name === "alt"));
  for (const attribute of attributes) {
    const { name, start, end, valueStart, valueEnd } = attribute;
    const drop = (kind?: string): void => {
      edits.push({ start: html[start - 1] === " " ? start - 1 : start, end, text: "" });
      if (kind !== undefined) task.removed(kind);
    };
    if (isDroppedAttribute(name)) drop();
    else if (plainAttributes.has(name) || valueEnd === valueStart) continue;
    else if (urlAttributes.has(name) || name.endsWith("href") || name.endsWith("src") || name.endsWith("url"))
      rewriteUrl(html, attribute, { task, edits });
    else if (name === "value" && element !== "li" && hasSecretValue()) drop("form_value");
    else if (name === "content" && element === "meta" && isSecret()) drop("token");
    else if (name === "content" && element === "meta" && isRefresh()) drop();
    // The first one is text of the page already.
    else if (name === "alt" && isImage(element) && attribute === firstAlt()) continue;
    else {
      aside.separate(name === "value" ? `\n${page.label}\nvalue="` : `\n${name}="`);
      aside.add(decodePieces(html, valueStart, valueEnd));
      aside.separate('"\n');
    }
  }
}

/** What is read when it is first asked for. */
function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: read() }).value;
}

const unsafeScheme = /^[\s\u0000-\u001f]{0,64}(?:javascript|vbscript)[\s\u0000-\u001f]{0,64}:/i;
/** What a browser takes out of an address before it reads the scheme. */
const overlooked = /[\t\n\r]/g;

function rewriteUrl(
  html: string,
  { name, start, end, valueStart, valueEnd }: HtmlAttribute,
  { task, edits }: Pick<Sink, "task" | "edits">,
): void {
  const source = html.slice(valueStart, valueEnd);
  const url = decodeEntities(source);
  if (unsafeScheme.test(url.replaceAll(overlooked, ""))) {
    edits.push({ start, end, text: "" });
    return;
  }
  const filtered = task.url(url);
  if (filtered !== url) edits.push({ start, end, text: `${name}="${escapeHtml(filtered)}"` });
}
