import type { ContentFormat } from "@periscope/schemas";
import { findArticle } from "./article.js";
import { bodyOf, localNameOf, matches, rootElementOf, select } from "./dom-access.js";
import { isEditor, isField, type LeftOut, leftOutWith, plainAttribute } from "./dom-rules.js";
import { hasFilledSecret, isFilledSecret } from "./filled-secrets.js";
import { cutToWhole, fitBytes } from "./fit-text.js";
import { readForm } from "./form-fields.js";
import { writeMarkdown, type Written } from "./markdown.js";
import { readMedia } from "./media-facts.js";
import type { CaptureSettings } from "./options.js";
import type { CaptureRequest, Empty, PageOptions, ReadBy } from "./outcomes.js";
import { selectedParts } from "./read-selection.js";
import type { Slices } from "./slices.js";
import { copyVisible, type VisibleCopy } from "./visible-copy.js";

/** What was taken of a page, before the filter. */
export interface Taken {
  status: "taken";
  content: string;
  contentFormat: ContentFormat;
  metadata: Record<string, string | number | boolean>;
  isTruncated: boolean;
  readBy: ReadBy;
}

/** What taking needs beside the request. */
export interface Taking {
  settings: CaptureSettings;
  slices: Slices;
  /** Bytes to read at most. */
  bytesMax: number;
  /** Counts what was left out. */
  count: (kind: string, count?: number) => void;
  /** Called when a filled password or card field was met. */
  onSecret: () => void;
}

type TakeOutcome = Taken | Empty | { status: "blocked"; rule: string };

const blockedBy = (reason: LeftOut) => ({ status: "blocked" as const, rule: `page:${reason}` });
const facts = { status: "taken" as const, content: "", contentFormat: "text" as const, isTruncated: false, readBy: "facts" as const };

/** Takes what is asked for. */
export async function take(request: CaptureRequest, taking: Taking): Promise<TakeOutcome> {
  const { settings } = taking;
  switch (request.type) {
    case "page":
      return await takePage(request, taking);
    case "selection":
      return await takeSelection(taking);
    case "element": {
      const reason = leftOutWith(request.element, settings.rules);
      if (reason !== undefined) return blockedBy(reason);
      const role = plainAttribute(request.element, "role");
      const metadata = { element: localNameOf(request.element), ...(role !== "" && { role }) };
      return { ...(await takeElement(request.element, taking)), metadata };
    }
    case "form": {
      const reason = leftOutWith(request.form, settings.rules);
      if (reason !== undefined) return blockedBy(reason);
      const keepsContact = settings.privacyLevel === "public";
      // The filter may put longer words in place of values, and JSON cannot be cut.
      const read = readForm(request.form, settings.rules, { bytesMax: taking.settings.contentBytesMax >> 1, keepsContact });
      for (const [kind, count] of Object.entries(read.leftOut)) taking.count(kind, count);
      const { content, isTruncated } = read;
      return { ...facts, content, isTruncated, metadata: {} };
    }
    case "media": {
      const reason = leftOutWith(request.element, settings.rules);
      if (reason !== undefined) return blockedBy(reason);
      return { ...facts, ...readMedia(request.element, await captionOf(request.element, taking)) };
    }
    case "navigation":
      return { ...facts, metadata: navigationKind() };
    case "custom": {
      const { kind, data = {}, content = "", contentFormat = "text" } = request;
      const { end } = fitBytes(content, taking.bytesMax);
      const isTruncated = end < content.length;
      const kept = isTruncated ? cutToWhole(content.slice(0, end)) : content;
      return { ...facts, content: kept, contentFormat, isTruncated, metadata: { ...data, kind } };
    }
  }
}

async function takePage({ whole = false }: PageOptions, taking: Taking): Promise<Taken> {
  const { document } = taking.settings;
  const root = bodyOf(document) ?? rootElementOf(document);
  if (root === null || isEditor(document)) return { ...facts, metadata: {} };
  const copy = await copyOf(root, taking);
  const spare = copy.document.cloneNode(true) as Document;
  const article = findArticle(spare, metadataElements(document, spare));
  const element = whole ? undefined : article?.element;
  await taking.slices.yieldToEventLoop();
  const taken = await write(element ?? copy.document.body, copy.isTruncated, taking);
  return { ...taken, metadata: article?.metadata ?? {}, readBy: element === undefined ? "whole" : "article" };
}

/** What a document says of itself, without what it runs. */
const metadataElements = (document: Document, copy: Document): Element[] =>
  select(document, "title,meta[content]")
    .slice(0, 200)
    .map((element) => copy.importNode(element, true));

/** A copy of what is shown of an element; once more from the beginning when the page was changed meanwhile, as it is often changed as a whole. */
async function copyOf(root: Element, taking: Taking, range?: Range): Promise<VisibleCopy> {
  const { settings, slices, bytesMax } = taking;
  const copying = {
    rules: settings.rules,
    slices,
    // Markdown may be shorter than what it is written of, such as menus beside an article.
    textUnitsMax: bytesMax * 4,
    ...(range !== undefined && { range }),
    onLeftOut: (element: Element, reason: LeftOut) => note(element, reason, taking),
    onFrame: (document: Document) => {
      if (hasFilledSecret(document)) taking.onSecret();
    },
  };
  const copy = await copyVisible(root, copying);
  return copy.hasChanged ? await copyVisible(root, copying) : copy;
}

async function write(element: Element, isCut: boolean, { slices, bytesMax }: Taking): Promise<Taken> {
  const { text, isTruncated } = await writeMarkdown(element, { slices, bytesMax });
  return takenOf({ text, isTruncated: isTruncated || isCut }, "whole");
}

/** What is shown of an element. */
async function takeElement(root: Element, taking: Taking, range?: Range): Promise<Taken> {
  const copy = await copyOf(root, taking, range);
  return await write(copy.document.body, copy.isTruncated, taking);
}

async function takeSelection(taking: Taking): Promise<TakeOutcome> {
  const selected = selectedParts(taking.settings.document, taking.settings.rules);
  if (selected === undefined) return { status: "empty" };
  if (typeof selected === "string") return blockedBy(selected);
  const texts: string[] = [];
  let left = taking.bytesMax;
  let isTruncated = false;
  for (const { range, root } of selected) {
    const part = await takeElement(root, { ...taking, bytesMax: left }, range);
    if (part.content !== "") texts.push(part.content);
    isTruncated ||= part.isTruncated;
    left -= fitBytes(`${part.content}\n`, Infinity).bytes;
    if (taking.slices.isOver() || left <= 0) break;
  }
  const text = withoutHalves(texts.join("\n"));
  return text === "" ? { status: "empty" } : { ...takenOf({ text, isTruncated: false }, "whole"), isTruncated };
}

/** A range may begin or end between the two units of a character. */
const withoutHalves = (text: string) => text.replaceAll(/\p{Cs}/gu, "");

async function captionOf(element: Element, taking: Taking): Promise<string> {
  const figure = Element.prototype.closest.call(element, "figure");
  const [caption] = figure === null ? [] : select(figure, "figcaption");
  return caption === undefined ? "" : (await takeElement(caption, taking)).content;
}

function note(element: Element, reason: LeftOut, { count, onSecret }: Taking): void {
  if (reason !== "field") count(reason);
  else if (isField(element) && matches(element, "input,textarea") && (element as HTMLInputElement).value !== "") count(reason);
  if (isFilledSecret(element)) onSecret();
}

function takenOf({ text, isTruncated }: Written, readBy: ReadBy): Taken {
  return { status: "taken", content: isTruncated ? cutToWhole(text) : text, contentFormat: "markdown", metadata: {}, isTruncated, readBy };
}

function navigationKind(): Record<string, string> {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry === undefined ? {} : { navigation: entry.type };
}
