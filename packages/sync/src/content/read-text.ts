import type { Budget } from "./budget.js";
import {
  attributeOf,
  firstChildOf,
  innerTextOf,
  isConnected,
  isHtml,
  localNameOf,
  nextSiblingOf,
  nodeTypeOf,
  parentElementOf,
  parentNodeOf,
  select,
  shadowRootOf,
  textContentOf,
} from "./dom-access.js";
import type { DomRules, LeftOut } from "./dom-rules.js";
import { type ElementKind, kindOf } from "./element-kinds.js";
import { scanElements } from "./scan-elements.js";
import { textBuilder } from "./text-builder.js";
import { hasBox, hasContentsOnly, isShown, isSkipped } from "./visibility.js";

/** How a text is to be read. */
export interface TextReading {
  rules: DomRules;
  budget: Budget;
  bytesMax: number;
  /**
   * `whole`: by `innerText`, of the largest elements that hold nothing to be left out; cannot be stopped inside of one. `walk`: node by node, in slices
   * between which the page runs, until the budget ends.
   */
  by: "whole" | "walk";
  /** Only what is in this range. */
  range?: Range;
  /** Takes nodes that are in no page for shown. */
  isDetached?: boolean;
  /** Called with each element that is left out. */
  onLeftOut?: (element: Element, reason: LeftOut) => void;
}

/** What was read. `changed`: the page was changed between slices where it was being read. */
export interface TextRead {
  text: string;
  isTruncated: boolean;
  end: "done" | "full" | "budget" | "changed";
}

/** A list of siblings that is being read. */
interface Level {
  next: Node | null;
  /** Nodes that are no siblings: those of a slot. */
  assigned?: readonly Node[];
  index: number;
  /** Whose style the text here has. */
  element: Element | null;
  isPre: boolean;
  kind: ElementKind;
  isShown?: boolean;
}

/** Nodes between two looks at the clock. */
const nodesAtOnce = 32;

/** Reads the text of an element, its open shadow trees with it, without what the rules leave out. */
export async function readText(root: Element, reading: TextReading): Promise<TextRead> {
  const { rules, budget, range, by } = reading;
  const out = textBuilder(reading.bytesMax);
  const mixed = by === "whole" ? elementsToOpen(root, rules) : undefined;
  const stack: Level[] = [];
  let nodes = 0;
  const ended = (end: TextRead["end"]): TextRead => ({ text: out.text(), isTruncated: end !== "done", end });

  enter(root);
  for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
    const node = take(level);
    if (node === null) {
      stack.pop();
      leave(level.kind);
      continue;
    }
    visit(node, level);
    if (out.isFull) return ended("full");
    nodes += 1;
    if (nodes % nodesAtOnce !== 0) continue;
    if (budget.isOver()) return ended("budget");
    // What was found at the start holds only as long as the page stands still.
    if (by === "walk" && (await budget.breathe()) && hasMoved(stack)) return ended("changed");
  }
  return ended(out.isFull ? "full" : "done");

  function visit(node: Node, level: Level): void {
    const type = nodeTypeOf(node);
    if (type === Node.ELEMENT_NODE) {
      if (range === undefined || range.intersectsNode(node)) enter(node as Element, level);
    } else if (type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) addText(node as Text, level);
  }

  function enter(element: Element, around?: Level): void {
    const reason = rules.leftOut(element);
    if (reason !== undefined) {
      reading.onLeftOut?.(element, reason);
      return;
    }
    const name = localNameOf(element);
    const ofHtml = isHtml(element);
    const kind = kindOf(name, ofHtml);
    if (kind === "none") return;
    if (kind === "break") {
      out.put("\n");
      return;
    }
    if (mixed !== undefined && ofHtml && !mixed.has(element)) {
      // Of one that is not drawn it would be the text that is hidden.
      if (!hasBox(element)) {
        if (!hasContentsOnly(element)) return;
      } else {
        begin(kind);
        out.addWhole(innerTextOf(element));
        leave(kind);
        return;
      }
    }
    begin(kind);
    const isPre = around?.isPre === true || (ofHtml && (name === "pre" || name === "listing" || name === "xmp"));
    const shadow = shadowRootOf(element);
    const assigned = ofHtml ? drawnInstead(element, name) : undefined;
    const next = assigned === undefined ? firstChildOf(shadow ?? element) : null;
    stack.push({ next, ...(assigned !== undefined && { assigned }), index: 0, element, isPre, kind });
  }

  function begin(kind: ElementKind): void {
    if (kind === "cell") out.put("\t");
    else leave(kind);
  }

  function leave(kind: ElementKind): void {
    if (kind === "block") out.endLine(1);
    else if (kind === "paragraph") out.endLine(2);
  }

  function addText(node: Text, level: Level): void {
    if (node.length === 0) return;
    if (level.isShown !== false && range === undefined && node.length === 1 && !level.isPre) {
      // Most texts of one unit are the line breaks between tags: their style does not matter.
      const { data } = node;
      if (data === "\n" || data === " ") {
        out.add(data);
        return;
      }
    }
    level.isShown ??= reading.isDetached === true || level.element === null || isShown(level.element);
    if (level.isShown) out.add(range === undefined ? node.data : partOf(node, range), level.isPre);
  }
}

/** What is drawn in an element in place of its children: what is put into a slot, and the summary of what is folded up. */
function drawnInstead(element: HTMLElement, name: string): readonly Node[] | undefined {
  if (name === "slot") {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    return assigned.length > 0 ? assigned : undefined;
  }
  return name === "details" && attributeOf(element, "open") === null ? select(element, ":scope > summary").slice(0, 1) : undefined;
}

function take(level: Level): Node | null {
  if (level.assigned !== undefined) return level.assigned[level.index++] ?? null;
  const node = level.next;
  if (node !== null) level.next = nextSiblingOf(node);
  return node;
}

/** Whether what comes next is no longer where it was. */
function hasMoved(stack: readonly Level[]): boolean {
  return stack.some(
    ({ next, element }) =>
      (element !== null && !isConnected(element)) ||
      (next !== null && element !== null && parentNodeOf(next) !== (shadowRootOf(element) ?? element)),
  );
}

function partOf(node: Text, range: Range): string {
  if (!range.intersectsNode(node)) return "";
  const start = range.startContainer === node ? range.startOffset : 0;
  return node.data.slice(start, range.endContainer === node ? range.endOffset : node.length);
}

/** Elements in which something is to be left out, is skipped by the browser or has a shadow tree, and all that these are in: their text is put together by hand. */
function elementsToOpen(root: Element, rules: DomRules): ReadonlySet<Element> {
  const open = new Set<Element>();
  const trees: (Element | ShadowRoot)[] = [root];
  for (let tree = trees.pop(); tree !== undefined; tree = trees.pop()) {
    // What is put into a slot is elsewhere in the tree.
    for (const element of select(tree, tree === root ? rules.selector : `${rules.selector},slot`)) openUpTo(element);
    const { hosts, isSkipping } = scanElements(tree);
    if (isSkipping) for (const element of select(tree, "*")) if (isSkipped(element)) openUpTo(element);
    for (const host of hosts) {
      openUpTo(host);
      const shadow = shadowRootOf(host);
      if (shadow !== null) trees.push(shadow);
    }
  }
  return open;

  function openUpTo(element: Element): void {
    for (let at: Element | null = element; at !== null && !open.has(at); at = at === root ? null : parentElementOf(at)) open.add(at);
  }
}

/** Whether an element holds so much text, seen or not, that `innerText` is no match for it whatever the number of its elements. */
export const isLong = (root: Element, bytesMax: number): boolean => (textContentOf(root)?.length ?? 0) > bytesMax * 8;
