import { Readability } from "@mozilla/readability";
import { bodyOf } from "./dom-access.js";

/** Readability reads a page at once: a larger one would block the page. */
const elementsMax = 20_000;
/** An article with a smaller share of the shown text is not the main content, as in a list of posts. A short page needs two thirds. */
const shareMin = 0.15;
const shortLetters = 4_000;
const shortShareMin = 2 / 3;
/** Readability does not trust a shorter article. */
const lettersMin = 400;
const factUnitsMax = 300;

/**
 * Finds the article of a copied page, with author, date and site in the words of the page; without the element when that is only a small part of the page.
 * Undefined when there is none. Changes the copy.
 */
export function findArticle(
  copy: Document,
  facts: readonly Element[],
): { element?: Element; metadata: Record<string, string> } | undefined {
  const body = bodyOf(copy);
  if (body === null || body.getElementsByTagName("*").length > elementsMax) return undefined;
  copy.head.append(...facts);
  const letters = lettersOf(body);
  // Nothing is read from scripts.
  const found = new Readability<Node>(copy, { disableJSONLD: true, keepClasses: true, serializer: (node) => node }).parse();
  if (found === null) return undefined;
  const metadata: Record<string, string> = {};
  for (const name of ["byline", "publishedTime", "siteName"] as const) {
    const text = (found[name] ?? "").replaceAll(/\s+/g, " ").trim().toWellFormed();
    if (text !== "" && text.length <= factUnitsMax) metadata[name] = text;
  }
  const { content } = found;
  const isFair =
    content instanceof Element && lettersOf(content) >= Math.max(lettersMin, letters * (letters < shortLetters ? shortShareMin : shareMin));
  return isFair ? { element: content, metadata } : { metadata };
}

const lettersOf = (element: Element): number => (element.textContent ?? "").replaceAll(/\s+/g, "").length;
