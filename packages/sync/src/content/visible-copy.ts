import {
  assignedTo,
  attributeOf,
  bodyOf,
  childrenOf,
  documentOfFrame,
  isHtml,
  localNameOf,
  newDocument,
  nodeTypeOf,
  ownerDocumentOf,
  parentNodeOf,
  select,
  shadowRootOf,
} from "./dom-access.js";
import { type DomRules, isEditor, type LeftOut } from "./dom-rules.js";
import type { Slices } from "./slices.js";
import { webAddress } from "./page-facts.js";

interface Copying {
  rules: DomRules;
  slices: Slices;
  /** Units of text after which nothing more is copied. */
  textUnitsMax: number;
  range?: Range;
  onLeftOut: (element: Element, reason: LeftOut) => void;
  onFrame: (document: Document) => void;
}

/** A list of siblings that is being copied. */
interface Level {
  nodes: readonly Node[];
  index: number;
  /** What the nodes are in, unless they came from elsewhere, as those of a slot do. */
  parent: Node | undefined;
  into: Element;
  isShown: boolean;
  isPre: boolean;
  /** Whether the line ends with the last of them. */
  endsLine: boolean;
}

/** Nodes between two looks at the clock. */
const nodesAtOnce = 32;

/**
 * Copies what is shown of an element, with open shadow trees and frames of the same origin in place. Hidden text, fields, drafts and what the rules leave out
 * are not copied. The copy is the body of a document that runs nothing. `hasChanged` says whether the page was changed where it was being copied.
 */
export async function copyVisible(root: Element, copying: Copying) {
  const { rules, slices, range } = copying;
  const copy = newDocument(ownerDocumentOf(root) ?? document);
  const body = bodyOf(copy) as HTMLElement;
  const stack: Level[] = [];
  let units = 0;
  let visited = 0;
  let hasChanged = false;
  const ended = (isTruncated: boolean) => ({ document: copy, isTruncated, hasChanged });

  enter(root, { nodes: [], index: 0, parent: undefined, into: body, isShown: true, isPre: false, endsLine: false });
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const node = level.nodes[level.index++];
    if (node === undefined) {
      stack.pop();
      if (level.endsLine) endLine(level.into);
      continue;
    }
    if (level.parent !== undefined && parentNodeOf(node) !== level.parent) {
      hasChanged = true;
      continue;
    }
    visit(node, level);
    if (units >= copying.textUnitsMax) return ended(true);
    visited += 1;
    if (visited % nodesAtOnce !== 0) continue;
    if (slices.isOver()) return ended(true);
    await slices.yieldToEventLoop();
  }
  return ended(false);

  function visit(node: Node, level: Level): void {
    const type = nodeTypeOf(node);
    if (type === Node.ELEMENT_NODE) {
      if (range === undefined || range.intersectsNode(node)) enter(node as Element, level);
    } else if ((type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) && level.isShown) {
      add(range === undefined ? (node as Text).data : partOf(node as Text, range), level.into);
    }
  }

  function add(text: string, into: Element): void {
    const kept = text.slice(0, copying.textUnitsMax - units);
    units += kept.length;
    if (kept !== "") into.append(kept);
  }

  function enter(element: Element, level: Level): void {
    const reason = rules.leftOut(element);
    if (reason !== undefined) {
      copying.onLeftOut(element, reason);
      return;
    }
    const ofHtml = isHtml(element);
    const name = localNameOf(element);
    if ((ofHtml ? unread : unreadInOthers).has(name)) return;
    const style = getComputedStyle(element);
    const { display, contentVisibility } = style;
    if (display === "none" || display === "" || contentVisibility === "hidden") return;
    const isBlock = !/^(?:inline|contents|ruby)/.test(display);
    const below: Level = {
      ...level,
      index: 0,
      isShown: style.visibility === "visible",
      endsLine: false,
      ...contentsOf(element, name),
    };
    if (level.isPre) {
      // Code keeps its lines and loses its colours.
      if (name === "br") add("\n", level.into);
      if (isBlock) endLine(level.into);
      below.endsLine = isBlock;
    } else if (display !== "contents") {
      const isCode = ofHtml && (preformatted.has(name) || (isBlock && codeNames.has(name) && style.whiteSpace.startsWith("pre")));
      const made = copy.createElement(isCode ? "pre" : element === root && parts.has(name) ? "div" : nameFor(element, name, isBlock));
      if (ofHtml) copyAttributes(element, name, made);
      level.into.append(made);
      below.into = isCode ? codeIn(made, languageOf(element)) : made;
      below.isPre = isCode;
    }
    stack.push(below);
  }

  /** What is drawn in an element: its children, its shadow tree, what was put into its slot, its document, or the summary of what is folded up. */
  function contentsOf(element: Element, name: string): { nodes: readonly Node[]; parent: Node | undefined } {
    const shadow = shadowRootOf(element);
    if (shadow !== null) return { nodes: childrenOf(shadow), parent: shadow };
    if (name === "slot" && isHtml(element)) {
      const assigned = assignedTo(element as HTMLSlotElement);
      if (assigned.length > 0) return { nodes: assigned, parent: undefined };
    }
    if (name === "iframe" && isHtml(element)) {
      const inner = documentOfFrame(element as HTMLIFrameElement);
      const isVisible = inner !== null && !isEditor(inner) && getComputedStyle(element).visibility === "visible";
      const innerBody = isVisible ? bodyOf(inner) : null;
      if (inner === null || innerBody === null) return { nodes: [], parent: undefined };
      copying.onFrame(inner);
      return { nodes: [innerBody], parent: undefined };
    }
    if (name === "details" && isHtml(element) && attributeOf(element, "open") === null)
      return { nodes: select(element, ":scope > summary").slice(0, 1), parent: element };
    return { nodes: childrenOf(element), parent: element };
  }
}

function codeIn(pre: Element, language: string | undefined): Element {
  const code = pre.ownerDocument.createElement("code");
  if (language !== undefined) code.className = `language-${language}`;
  pre.append(code);
  return code;
}

function endLine(code: Element): void {
  const { lastChild } = code;
  if (lastChild !== null && !(lastChild as Text).data.endsWith("\n")) code.append("\n");
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Elements whose children are not drawn as text. */
const unread = names("script style noscript template head object embed video audio canvas param source track link meta title colgroup");
const unreadInOthers = names("script style title desc metadata defs head link meta");
const preformatted = names("pre listing xmp plaintext");
const codeNames = names("code samp kbd");

/** Elements that mean the same however they are drawn. */
const blocks = names(
  "address article aside blockquote caption center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p section table tbody td tfoot th thead tr ul",
);
/** Elements that need their parent. */
const parts = names("caption dd dt li tbody td tfoot th thead tr");
const others = names("a b br code em i img strong sub sup");
/** Elements whose id would shadow a property of a form or document. */
const clobbering = names("button fieldset form img object output");
const kept = ["class", "id", "role", "itemprop", "rel", "aria-hidden", "aria-modal", "colspan", "start", "datetime", "summary"] as const;

function nameFor(element: Element, name: string, isBlock: boolean): string {
  if (!isHtml(element)) return isBlock || name === "text" ? "div" : "span";
  if (others.has(name)) return name;
  return blocks.has(name) ? name : isBlock ? "div" : "span";
}

function copyAttributes(from: Element, name: string, to: Element): void {
  for (const attribute of kept) {
    const value = attributeOf(from, attribute);
    if (value !== null && (attribute !== "id" || !clobbering.has(name))) to.setAttribute(attribute, value);
  }
  if (name === "a") {
    const href = attributeOf(from, "href")?.trim() ?? "";
    const address = href.startsWith("#") ? href : webAddress(href, from.baseURI);
    if (address !== "") to.setAttribute("href", address);
  } else if (name === "img") {
    to.setAttribute("alt", attributeOf(from, "alt") ?? "");
    const source = webAddress((from as HTMLImageElement).currentSrc || (attributeOf(from, "src") ?? ""), from.baseURI);
    if (source !== "") to.setAttribute("src", source);
  }
}

const language = /(?:^|\s)(?:language|lang|highlight-source|highlight-text|brush:)[-\s]*([\w+#-]+)/;

/** The language of code, as its class says, or that of what it is in. */
function languageOf(pre: Element): string | undefined {
  const around = parentNodeOf(pre);
  for (const element of [pre, ...select(pre, ":scope > code").slice(0, 1), ...(around instanceof Element ? [around] : [])]) {
    const found = language.exec(attributeOf(element, "class") ?? "")?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

function partOf(node: Text, range: Range): string {
  if (!range.intersectsNode(node)) return "";
  const start = range.startContainer === node ? range.startOffset : 0;
  return node.data.slice(start, range.endContainer === node ? range.endOffset : node.length);
}
