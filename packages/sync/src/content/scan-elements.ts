import { elementWalker, nodeTypeOf, parentNodeOf, shadowRootOf } from "./dom-access.js";
import { isSkipped } from "./visibility.js";

/** Of the elements with others in them so many are asked whether the browser skips them; of those behind them some, at uneven distances. */
const askedAll = 400;
const distances = [5, 7, 6, 11];

/** What `innerText` of all cannot be trusted with. */
export interface Scan {
  /** Elements with an open shadow tree, the root among them. */
  hosts: Element[];
  /** Whether a part is skipped until it is scrolled to (`content-visibility: auto`). To ask every element takes longer than to read the page. */
  isSkipping: boolean;
}

/** Looks through an element or a shadow tree. */
export function scanElements(root: Element | ShadowRoot): Scan {
  const hosts: Element[] = [];
  let isSkipping = false;
  let asked = 0;
  let wait = 0;
  const walker = elementWalker(root);
  for (let node: Node | null = root, before: Node | null = null; node !== null; before = node, node = walker.nextNode()) {
    if (nodeTypeOf(node) !== Node.ELEMENT_NODE) continue;
    if (shadowRootOf(node as Element) !== null) hosts.push(node as Element);
    // Of what is skipped the contents are, so the first element in another tells of that.
    if (isSkipping || before === null || parentNodeOf(node) !== before || wait-- > 0) continue;
    wait = asked < askedAll ? 0 : (distances[asked % distances.length] ?? 0);
    asked += 1;
    isSkipping = isSkipped(node as Element);
  }
  return { hosts, isSkipping };
}
