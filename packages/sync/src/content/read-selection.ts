import { matches, nodeTypeOf, parentElementOf } from "./dom-access.js";
import { type DomRules, type LeftOut, leftOutWith } from "./dom-rules.js";

/** A part of what is selected, and the element that holds it. */
export interface SelectedPart {
  range: Range;
  root: Element;
}

/** What is selected in a document, in order; a reason when it is in something that is left out; undefined when nothing is selected. */
export function selectedParts(document: Document, rules: DomRules): readonly SelectedPart[] | LeftOut | undefined {
  const selection = Document.prototype.getSelection.call(document);
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const parts: SelectedPart[] = [];
  let reason: LeftOut | undefined;
  for (let index = 0; index < selection.rangeCount; index += 1) {
    const range = selection.getRangeAt(index);
    const { commonAncestorContainer: common } = range;
    const element = nodeTypeOf(common) === Node.ELEMENT_NODE ? (common as Element) : parentElementOf(common);
    if (range.collapsed || element === null) continue;
    // Lines of code and rows mean nothing without what they are in.
    const root =
      Element.prototype.closest.call(element, "pre") ??
      (matches(element, rows) ? Element.prototype.closest.call(element, "table") : null) ??
      element;
    const leftOut = leftOutWith(root, rules);
    if (leftOut === undefined) parts.push({ range, root });
    else reason = leftOut;
  }
  return parts.length > 0 ? parts : reason;
}

const rows = "thead,tbody,tfoot,tr";
