import { attributeOf, countElements, nodeTypeOf, parentElementOf, select } from "./dom-access.js";
import { type DomRules, isField, type LeftOut, leftOutWith } from "./dom-rules.js";

/** What is selected: in order, the parts and the elements that hold them; `isPlain` when nothing in it is to be left out. */
export interface SelectedParts {
  parts: { range: Range; root: Element }[];
  isPlain: boolean;
  elements: number;
}

/** The selection of a document; a reason when it is in something that is left out; undefined when nothing is selected. */
export function selectedParts(document: Document, rules: DomRules): SelectedParts | LeftOut | undefined {
  const selection = Document.prototype.getSelection.call(document);
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const parts: SelectedParts["parts"] = [];
  let isPlain = !isInField(document);
  let elements = 0;
  let reason: LeftOut | undefined;
  for (let index = 0; index < selection.rangeCount; index += 1) {
    const range = selection.getRangeAt(index);
    const { commonAncestorContainer: common } = range;
    const root = nodeTypeOf(common) === Node.ELEMENT_NODE ? (common as Element) : parentElementOf(common);
    if (range.collapsed || root === null) continue;
    const leftOut = leftOutWith(root, rules);
    if (leftOut !== undefined) {
      reason = leftOut;
      continue;
    }
    elements += countElements(root);
    isPlain &&= !select(root, rules.selector).some((element) => range.intersectsNode(element));
    parts.push({ range, root });
  }
  return parts.length > 0 ? { parts, isPlain, elements } : reason;
}

/** The text of the selection as the browser has it, with the lines that are drawn. */
export const selectionText = (document: Document): string => Document.prototype.getSelection.call(document)?.toString() ?? "";

/** What is selected in a field stands in the browser's text of the selection. */
function isInField(document: Document): boolean {
  const active = Object.getOwnPropertyDescriptor(Document.prototype, "activeElement")?.get?.call(document) as Element | null;
  return active !== null && isField(active) && attributeOf(active, "type") !== "button";
}
