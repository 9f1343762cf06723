import { isHtml, ownerDocumentOf, parentElementOf, rootElementOf } from "./dom-access.js";

/** Whether what stands directly in an element is shown: not hidden by itself or by what it is in, and not faded out of the rendering. */
export function isShown(element: Element): boolean {
  // Two names of one option: browsers of before 2023 know the second alone.
  const hasShownBox = Element.prototype.checkVisibility.call(element, { visibilityProperty: true, checkVisibilityCSS: true });
  const { contentVisibility, display, visibility } = getComputedStyle(element);
  // Its box is drawn then, but nothing in it: `hidden="until-found"` is one of these.
  if (hasShownBox) return contentVisibility !== "hidden";
  if (display === "") return isPrintedXml(element);
  // It has no box of its own, but its children have.
  if (display !== "contents") return false;
  const parent = parentElementOf(element);
  return parent !== null && visibility === "visible" && isShown(parent);
}

/** Firefox draws XML that has no style as a tree of its own, and gives the elements themselves neither box nor style. */
function isPrintedXml(element: Element): boolean {
  if (isHtml(element)) return false;
  const document = ownerDocumentOf(element);
  const root = document === null ? null : rootElementOf(document);
  return root !== null && !isHtml(root);
}

/** Whether an element has a box, visible or not. */
export const hasBox = (element: Element): boolean => Element.prototype.checkVisibility.call(element);

/** Whether an element is in a part of the page that is skipped until it is scrolled to: then `innerText` has no text of it. */
export const isSkipped = (element: Element): boolean =>
  !Element.prototype.checkVisibility.call(element, { contentVisibilityAuto: true }) && hasBox(element);

/** Whether an element is `display: contents`: only its children are laid out. */
export const hasContentsOnly = (element: Element): boolean => getComputedStyle(element).display === "contents";
