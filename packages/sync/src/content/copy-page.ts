import { bodyOf, firstChildOf, parentNodeOf } from "./dom-access.js";
import type { DomRules, LeftOut } from "./dom-rules.js";
import { hasContentsOnly, isShown } from "./visibility.js";

/**
 * A copy of a document that runs nothing and is drawn nowhere, without what the rules leave out and without what is hidden: for readers that do not
 * know of either, and change what they read.
 */
export function copyPage(document: Document, rules: DomRules, onLeftOut: (element: Element, reason: LeftOut) => void): Document {
  const copy = Document.prototype.cloneNode.call(document, true) as Document;
  const [from, to] = [bodyOf(document), bodyOf(copy)];
  if (from === null || to === null) return copy;
  const source = Document.prototype.createTreeWalker.call(document, from, NodeFilter.SHOW_ELEMENT);
  const target = Document.prototype.createTreeWalker.call(copy, to, NodeFilter.SHOW_ELEMENT);
  const gone: Node[] = [];
  if (firstChildOf(from) === null || source.firstChild() === null) return copy;
  target.firstChild();
  for (let more = true; more;) {
    const element = source.currentNode as Element;
    const reason = rules.leftOut(element);
    if (reason !== undefined) onLeftOut(element, reason);
    const isGone = reason !== undefined || (!isShown(element) && !hasContentsOnly(element));
    if (isGone) gone.push(target.currentNode);
    // What is below one that goes need not be looked at.
    more = isGone ? nextBeside(source) : source.nextNode() !== null;
    if (!more) break;
    if (isGone) nextBeside(target);
    else target.nextNode();
  }
  for (const node of gone) parentNodeOf(node)?.removeChild(node);
  return copy;
}

/** To the next element that is not below the current one. */
function nextBeside(walker: TreeWalker): boolean {
  do {
    if (walker.nextSibling() !== null) return true;
  } while (walker.parentNode() !== null);
  return false;
}
