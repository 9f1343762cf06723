import type { ContentFormat } from "@periscope/schemas";
import type { Budget, Pace } from "./budget.js";
import { copyPage } from "./copy-page.js";
import { bodyOf, countElements, isHtml, localNameOf, matches, rootElementOf, select } from "./dom-access.js";
import { isEditor, isField, type LeftOut, leftOutWith, plainAttribute } from "./dom-rules.js";
import { isFilledSecret } from "./filled-secrets.js";
import { cutToWhole, fitJson } from "./fit-text.js";
import { readForm } from "./form-fields.js";
import { readMedia } from "./media-facts.js";
import type { CaptureSettings } from "./options.js";
import type { Empty, ReadBy } from "./outcomes.js";
import { selectedParts, selectionText } from "./read-selection.js";
import { isLong, readText, type TextRead, type TextReading } from "./read-text.js";
import type { CaptureRequest, PageOptions } from "./requests.js";
import { textBuilder } from "./text-builder.js";

/** What was taken of a page, before the filter. */
export interface Taken {
  status: "taken";
  content: string;
  contentFormat: ContentFormat;
  metadata: Record<string, string | number | boolean>;
  isTruncated: boolean;
  readBy: ReadBy;
}

/** Paces of what cannot be stopped, as measured in this page. */
export interface Paces {
  innerText: Pace;
  reader: Pace;
  markdown: Pace;
}

/** What taking needs beside the request. */
export interface Taking {
  settings: CaptureSettings;
  budget: Budget;
  paces: Paces;
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
      return { ...(await takeText(request.element, taking)), metadata };
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
      return { ...facts, content, contentFormat, metadata: { ...data, kind } };
    }
  }
}

async function takePage({ article = false, format = "text" }: PageOptions, taking: Taking): Promise<Taken> {
  const { settings, budget, paces } = taking;
  const { document } = settings;
  const root = bodyOf(document) ?? rootElementOf(document);
  const nothing = { ...facts, metadata: {} };
  if (root === null || isEditor(document)) return nothing;
  const elements = article || format === "markdown" ? countElements(root) : 0;
  const isSmall =
    elements > 0 &&
    (!article || paces.reader.fits(elements, budget.leftMs())) &&
    (format === "text" || paces.markdown.fits(elements, budget.leftMs() / (article ? 2 : 1))) &&
    !isLong(root, taking.bytesMax);
  const copied = isSmall ? await takeCopy({ article, format }, elements, taking) : undefined;
  if (copied !== undefined) return copied;
  return await takeText(root, taking);
}

/** The article, or the whole page in markdown, from a copy of the page. */
async function takeCopy({ article = false, format = "text" }: PageOptions, elements: number, taking: Taking): Promise<Taken | undefined> {
  const { settings, budget, paces } = taking;
  const { reader, markdown } = settings;
  const copy = copyPage(settings.document, settings.rules, (element, reason) => note(element, reason, taking));
  const startMs = budget.usedMs();
  const found = article ? reader?.articleOf(copy) : bodyOf(copy);
  if (article) paces.reader.note(elements, budget.usedMs() - startMs);
  if (found === undefined || found === null) return undefined;
  const readBy = article ? "article" : "walk";
  if (format === "markdown" && markdown !== undefined) {
    const before = budget.usedMs();
    const out = textBuilder(taking.bytesMax);
    out.addWhole(markdown.markdownOf(found));
    paces.markdown.note(elements, budget.usedMs() - before);
    return {
      status: "taken",
      content: cut(out.text(), out.isFull),
      contentFormat: "markdown",
      metadata: {},
      isTruncated: out.isFull,
      readBy,
    };
  }
  const read = await readText(found, { ...readingOf(taking), by: "walk", isDetached: true });
  return takenOf(read, readBy);
}

/** The text of an element: by `innerText` when it will fit the budget. */
async function takeText(root: Element, taking: Taking): Promise<Taken> {
  const { budget, paces, bytesMax } = taking;
  const elements = countElements(root);
  if (isHtml(root) && paces.innerText.fits(elements, budget.leftMs()) && !isLong(root, bytesMax)) {
    const before = budget.usedMs();
    const read = await readText(root, { ...readingOf(taking), by: "whole" });
    paces.innerText.note(elements, budget.usedMs() - before);
    return takenOf(read, "innerText");
  }
  const read = await readText(root, { ...readingOf(taking), by: "walk" });
  // Once more from the beginning, with the time that is left: a page is often changed as a whole.
  return takenOf(read.end === "changed" ? await readText(root, { ...readingOf(taking), by: "walk" }) : read, "walk");
}

async function takeSelection(taking: Taking): Promise<TakeOutcome> {
  const { settings, budget, paces } = taking;
  const selected = selectedParts(settings.document, settings.rules);
  if (selected === undefined) return { status: "empty" };
  if (typeof selected === "string") return blockedBy(selected);
  if (selected.isPlain && paces.innerText.fits(selected.elements, budget.leftMs())) {
    const out = textBuilder(taking.bytesMax);
    out.addWhole(withoutHalves(selectionText(settings.document)));
    return out.text() === "" ? { status: "empty" } : takenOf({ text: out.text(), isTruncated: out.isFull }, "innerText");
  }
  const texts: string[] = [];
  let left = taking.bytesMax;
  let isTruncated = false;
  for (const { range, root } of selected.parts) {
    const { text, end, ...read } = await readText(root, { ...readingOf(taking), bytesMax: left, by: "walk", range });
    // Each by itself: behind what was cut here comes the next part.
    const part = cut(text, read.isTruncated);
    if (part !== "") texts.push(part);
    isTruncated ||= read.isTruncated;
    if (end === "full" || end === "budget") break;
    left -= fitJson(`${part}\n`, Infinity).bytes;
  }
  const text = withoutHalves(texts.join("\n"));
  return text === "" ? { status: "empty" } : { ...takenOf({ text, isTruncated: false }, "walk"), isTruncated };
}

/** A range may begin or end between the two units of a character. */
const withoutHalves = (text: string) => text.replaceAll(/\p{Cs}/gu, "");

async function captionOf(element: Element, taking: Taking): Promise<string> {
  const figure = Element.prototype.closest.call(element, "figure");
  const [caption] = figure === null ? [] : select(figure, "figcaption");
  return caption === undefined ? "" : (await takeText(caption, taking)).content;
}

function readingOf(taking: Taking): Pick<TextReading, "rules" | "budget" | "bytesMax" | "onLeftOut"> {
  const { settings, budget, bytesMax } = taking;
  return { rules: settings.rules, budget, bytesMax, onLeftOut: (element, reason) => note(element, reason, taking) };
}

function note(element: Element, reason: LeftOut, { count, onSecret }: Taking): void {
  if (reason !== "field") count(reason);
  else if (isField(element) && matches(element, "input,textarea") && (element as HTMLInputElement).value !== "") count(reason);
  if (isFilledSecret(element)) onSecret();
}

function takenOf({ text, isTruncated }: Pick<TextRead, "text" | "isTruncated">, readBy: ReadBy): Taken {
  return { status: "taken", content: cut(text, isTruncated), contentFormat: "text", metadata: {}, isTruncated, readBy };
}

const cut = (text: string, isTruncated: boolean) => (isTruncated ? cutToWhole(text) : text);

function navigationKind(): Record<string, string> {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return entry === undefined ? {} : { navigation: entry.type };
}
