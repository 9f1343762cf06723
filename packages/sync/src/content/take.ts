import type { ContentFormat } from "@periscope/schemas";
import { findArticle } from "./article.js";
import { attributeOf, bodyOf, isHtml, localNameOf, matches, nodeTypeOf, parentElementOf, rootElementOf, select } from "./dom-access.js";
import { hasFilledSecret, isEditor, isField, isFilledSecret, type LeftOut, leftOutWith, plainAttribute } from "./dom-rules.js";
import { cutToWhole, fitBytes, fitText } from "../fit-text.js";
import { readForm } from "./form-fields.js";
import { writeMarkdown } from "./markdown.js";
import type { CaptureSettings } from "./options.js";
import type { CaptureRequest, Empty } from "./outcomes.js";
import { webAddress } from "./page-facts.js";
import type { Slices } from "./slices.js";
import { copyVisible } from "./visible-copy.js";

/** What was taken of a page, before the filter. */
export interface Taken {
  status: "taken";
  content: string;
  contentFormat: ContentFormat;
  metadata: Record<string, string | number | boolean>;
  isTruncated: boolean;
}

export interface Taking {
  settings: CaptureSettings;
  slices: Slices;
  bytesMax: number;
  count: (kind: string, count?: number) => void;
  onSecret: () => void;
}

const blockedBy = (reason: LeftOut) => ({ status: "blocked" as const, rule: `page:${reason}` });
const facts: Taken = { status: "taken", content: "", contentFormat: "text", metadata: {}, isTruncated: false };

/** Takes what is asked for; says which rule of the page keeps it out. */
export async function take(request: CaptureRequest, taking: Taking): Promise<Taken | Empty | { status: "blocked"; rule: string }> {
  const { settings, bytesMax } = taking;
  const asked = "element" in request ? request.element : "form" in request ? request.form : undefined;
  const reason = asked && leftOutWith(asked, settings.rules);
  if (reason !== undefined) return blockedBy(reason);
  switch (request.type) {
    case "page":
      return await takePage(request.whole === true, taking);
    case "selection":
      return await takeSelection(taking);
    case "element": {
      const role = plainAttribute(request.element, "role");
      const metadata = { element: localNameOf(request.element), ...(role !== "" && { role }) };
      return { ...(await takeElement(request.element, taking)), metadata };
    }
    case "form": {
      const keepsContact = settings.privacyLevel === "public";
      // The filter may put longer words in place of values, and JSON cannot be cut.
      const { content, isTruncated, leftOut } = readForm(request.form, settings.rules, { bytesMax: bytesMax >> 1, keepsContact });
      for (const [kind, count] of Object.entries(leftOut)) taking.count(kind, count);
      return { ...facts, content, isTruncated };
    }
    case "media":
      return await takeMedia(request.element, taking);
    case "navigation": {
      const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
      return entry === undefined ? facts : { ...facts, metadata: { navigation: entry.type } };
    }
    case "custom": {
      const { kind, data = {}, content = "", contentFormat = "text" } = request;
      return { ...facts, ...fitText(content, bytesMax), contentFormat, metadata: { ...data, kind } };
    }
  }
}

async function takePage(whole: boolean, taking: Taking): Promise<Taken> {
  const { document } = taking.settings;
  const root = bodyOf(document) ?? rootElementOf(document);
  if (root === null || isEditor(document)) return facts;
  const copy = await copyOf(root, taking);
  const spare = copy.document.cloneNode(true) as Document;
  // What a document says of itself, without what it runs.
  const said = select(document, "title,meta[content]").slice(0, 200);
  const article = findArticle(
    spare,
    said.map((element) => spare.importNode(element, true)),
  );
  const element = whole ? undefined : article?.element;
  await taking.slices.yieldToEventLoop();
  const taken = await write(element ?? copy.document.body, copy.isTruncated, taking);
  return { ...taken, metadata: article?.metadata ?? {} };
}

async function takeElement(root: Element, taking: Taking, range?: Range): Promise<Taken> {
  const copy = await copyOf(root, taking, range);
  return await write(copy.document.body, copy.isTruncated, taking);
}

/** A copy of what is shown of an element; once more from the beginning when the page was changed meanwhile, as it is often changed as a whole. */
async function copyOf(root: Element, { settings, slices, bytesMax, count, onSecret }: Taking, range?: Range) {
  const copying = {
    rules: settings.rules,
    slices,
    // Markdown may be shorter than what it is written of, such as menus beside an article.
    textUnitsMax: bytesMax * 4,
    ...(range !== undefined && { range }),
    onLeftOut(element: Element, reason: LeftOut) {
      const isFilled = isField(element) && matches(element, "input,textarea") && (element as HTMLInputElement).value !== "";
      if (reason !== "field" || isFilled) count(reason);
      if (isFilledSecret(element)) onSecret();
    },
    onFrame(document: Document) {
      if (hasFilledSecret(document)) onSecret();
    },
  };
  const copy = await copyVisible(root, copying);
  return copy.hasChanged ? await copyVisible(root, copying) : copy;
}

async function write(element: Element, isCut: boolean, { slices, bytesMax }: Taking): Promise<Taken> {
  const written = await writeMarkdown(element, { slices, bytesMax });
  const isTruncated = written.isTruncated || isCut;
  const content = isTruncated ? cutToWhole(written.text) : written.text;
  return { status: "taken", content, contentFormat: "markdown", metadata: {}, isTruncated };
}

async function takeSelection(taking: Taking): Promise<Taken | Empty | { status: "blocked"; rule: string }> {
  const { document, rules } = taking.settings;
  const selection = Document.prototype.getSelection.call(document);
  const texts: string[] = [];
  let left = taking.bytesMax;
  let isTruncated = false;
  let reason: LeftOut | undefined;
  for (let index = 0; index < (selection?.rangeCount ?? 0) && left > 0 && !taking.slices.isOver(); index += 1) {
    const range = (selection as Selection).getRangeAt(index);
    const root = range.collapsed ? undefined : rootOf(range);
    if (root === undefined) continue;
    const leftOut = leftOutWith(root, rules);
    reason ??= leftOut;
    if (leftOut !== undefined) continue;
    const part = await takeElement(root, { ...taking, bytesMax: left }, range);
    texts.push(part.content);
    isTruncated ||= part.isTruncated;
    left -= fitBytes(`${part.content}\n`, Infinity).bytes;
  }
  if (texts.length === 0 && reason !== undefined) return blockedBy(reason);
  // A range may begin or end between the two units of a character.
  const content = texts
    .filter((text) => text !== "")
    .join("\n")
    .replaceAll(/\p{Cs}/gu, "");
  return content === "" ? { status: "empty" } : { ...facts, content, contentFormat: "markdown", isTruncated };
}

/** What holds a range: lines of code and rows mean nothing without what they are in. */
function rootOf({ commonAncestorContainer: common }: Range): Element | undefined {
  const element = nodeTypeOf(common) === Node.ELEMENT_NODE ? (common as Element) : parentElementOf(common);
  if (element === null) return undefined;
  const around = matches(element, "thead,tbody,tfoot,tr") ? "pre,table" : "pre";
  return Element.prototype.closest.call(element, around) ?? element;
}

/** Describes a picture, a video or a sound. Of its source only an address of the web is kept. */
async function takeMedia(element: Element, taking: Taking): Promise<Taken> {
  const shown = localNameOf(element) === "picture" ? (select(element, "img")[0] ?? element) : element;
  const kind = localNameOf(shown);
  const isMedium = isHtml(shown) && ["img", "video", "audio"].includes(kind);
  const source = isMedium ? (shown as HTMLImageElement).currentSrc || (attributeOf(shown, "src") ?? "") : "";
  const mediaUrl = webAddress(source, shown.baseURI);
  const figure = Element.prototype.closest.call(element, "figure");
  const [caption] = figure === null ? [] : select(figure, "figcaption");
  const lines = ["alt", "aria-label", "title"].map((name) => plainAttribute(shown, name));
  if (caption !== undefined) lines.push((await takeElement(caption, taking)).content.trim());
  return {
    ...facts,
    content: [...new Set(lines.filter((line) => line !== ""))].join("\n"),
    metadata: {
      mediaKind: kind === "img" ? "image" : kind,
      ...(mediaUrl !== "" && { mediaUrl }),
      ...(isMedium && kind !== "img" && playOf(shown as HTMLMediaElement)),
    },
  };
}

function playOf({ duration, currentTime, paused }: HTMLMediaElement): Record<string, number | boolean> {
  const seconds = (value: number) => Math.round(value * 10) / 10;
  // A stream has no end.
  const length = Number.isFinite(duration) && { durationSeconds: seconds(duration) };
  return { ...length, positionSeconds: seconds(currentTime), isPaused: paused };
}
