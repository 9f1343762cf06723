/**
 * Reads nodes past the names that a page gives: an `<input name="firstChild">` stands in for that property of its form, an `<img name="body">` for
 * that of the document, in the isolated world of a content script as well. So the accessors of the prototypes are asked, never the node.
 */
function accessor<O extends object, N extends keyof O>(owner: () => { prototype: O }, name: N): (of: O) => O[N] {
  let get: (() => O[N]) | undefined;
  return (of) => {
    get ??= Object.getOwnPropertyDescriptor(owner().prototype, name)?.get as () => O[N];
    return get.call(of);
  };
}

const firstChildOf: (node: Node) => Node | null = accessor(() => Node, "firstChild");
const nextSiblingOf: (node: Node) => Node | null = accessor(() => Node, "nextSibling");
export const parentNodeOf: (node: Node) => Node | null = accessor(() => Node, "parentNode");
export const ownerDocumentOf: (node: Node) => Document | null = accessor(() => Node, "ownerDocument");
export const nodeTypeOf: (node: Node) => number = accessor(() => Node, "nodeType");
export const localNameOf: (element: Element) => string = accessor(() => Element, "localName");
const namespaceOf: (element: Element) => string | null = accessor(() => Element, "namespaceURI");
export const shadowRootOf: (element: Element) => ShadowRoot | null = accessor(() => Element, "shadowRoot");
/** The document in a frame; null for one of another origin. */
export const documentOfFrame: (frame: HTMLIFrameElement) => Document | null = accessor(() => HTMLIFrameElement, "contentDocument");

export const bodyOf: (document: Document) => HTMLElement | null = accessor(() => Document, "body");
export const rootElementOf: (document: Document) => Element | null = accessor(() => Document, "documentElement");
export const titleOf: (document: Document) => string = accessor(() => Document, "title");
export const referrerOf: (document: Document) => string = accessor(() => Document, "referrer");
export const designModeOf: (document: Document) => string = accessor(() => Document, "designMode");
export const readyStateOf: (document: Document) => DocumentReadyState = accessor(() => Document, "readyState");
export const visibilityOf: (document: Document) => DocumentVisibilityState = accessor(() => Document, "visibilityState");
export const contentTypeOf: (document: Document) => string = accessor(() => Document, "contentType");
const implementationOf: (document: Document) => DOMImplementation = accessor(() => Document, "implementation");
const documentElementsOf = accessor(() => HTMLFormElement, "elements");

export const isHtml = (element: Element): element is HTMLElement => namespaceOf(element) === "http://www.w3.org/1999/xhtml";

export const matches = (element: Element, selector: string): boolean => Element.prototype.matches.call(element, selector);

export const attributeOf = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);

/** Elements below a document, a shadow root or an element that match. */
export function select(root: Document | DocumentFragment | Element, selector: string): readonly Element[] {
  const type = nodeTypeOf(root);
  const owner = type === Node.ELEMENT_NODE ? Element : type === Node.DOCUMENT_NODE ? Document : DocumentFragment;
  return Array.from(owner.prototype.querySelectorAll.call(root, selector));
}

export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (let child = firstChildOf(node); child !== null; child = nextSiblingOf(child)) children.push(child);
  return children;
}

export const assignedTo = (slot: HTMLSlotElement): readonly Node[] => HTMLSlotElement.prototype.assignedNodes.call(slot);

/** An empty document, in which nothing runs or is loaded. */
export const newDocument = (of: Document): Document => implementationOf(of).createHTMLDocument("");

/** What of a document somebody can fill in. By name, since a selector would be tried on every element. */
export const fieldsOf = (document: Document): readonly Element[] =>
  ["input", "select", "textarea"].flatMap((name) => Array.from(Document.prototype.getElementsByTagName.call(document, name)));

/** The controls of a form, those outside of it that name it as well. */
export const controlsOf = (form: HTMLFormElement): readonly Element[] => Array.from(documentElementsOf(form));

/** The element around a node, out of a shadow tree too. */
export function parentElementOf(node: Node): Element | null {
  const parent = parentNodeOf(node);
  if (parent === null) return null;
  if (nodeTypeOf(parent) === Node.ELEMENT_NODE) return parent as Element;
  return nodeTypeOf(parent) === Node.DOCUMENT_FRAGMENT_NODE ? (parent as ShadowRoot).host : null;
}

/** Whether an element has a box that is drawn. */
export const isShown = (element: Element): boolean =>
  // Two names of one option: browsers of before 2023 know the second alone.
  Element.prototype.checkVisibility.call(element, { visibilityProperty: true, checkVisibilityCSS: true });
