import { Readability } from "@mozilla/readability";
import { bodyOf } from "./dom-access.js";

/** What was found to be what a page is about. */
export interface Article {
  /** Absent when it is hardly more than a part of the page. */
  element?: Element;
  /** Whoever wrote it, when, and where, in its own words. */
  metadata: Record<string, string>;
}

/** Readability takes all of a page at once: of a larger one it would let nothing else happen. */
const elementsMax = 20_000;
/** An article with a smaller share of the text that is shown is not what the page is about, as in a list of posts; of a short page, with less than two thirds. */
const shareMin = 0.15;
const shortLetters = 4_000;
const shortShareMin = 2 / 3;
/** What is shorter is none that Readability would vouch for. */
const lettersMin = 400;
const factUnitsMax = 300;

/** Finds the article of a copied page; undefined when there is none. Changes the copy. */
export function findArticle(copy: Document, facts: readonly Element[]): Article | undefined {
  const body = bodyOf(copy);
  if (body === null || body.getElementsByTagName("*").length > elementsMax) return undefined;
  copy.head.append(...facts);
  const letters = lettersOf(body);
  // Of what pages say of themselves in scripts nothing is taken.
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
