import { captureBounds, fitsBytes } from "../protocol.js";
import { attributeOf, contentTypeOf, readyStateOf, referrerOf, rootElementOf, select, titleOf, visibilityOf } from "./dom-access.js";

export interface PageFacts {
  url: string;
  title: string;
  isActive: boolean;
  isLoading: boolean;
  referrer?: string;
  lang?: string;
  /** `canonicalUrl`, `description`, `lang`, `contentType` unless it is HTML, `truncated` when a title or a description was too long. */
  metadata: Record<string, string | boolean>;
}

const descriptionUnitsMax = 1_000;

/**
 * Reads a document's facts. A title or a description that is too long is left out: cut before the filter, half a secret would pass it. Undefined for an address
 * that is too long without its query.
 */
export function pageFacts(document: Document, href: string): PageFacts | undefined {
  const url = fitUrl(href);
  if (url === undefined) return undefined;
  const root = rootElementOf(document);
  const lang = root === null ? "" : (attributeOf(root, "lang") ?? attributeOf(root, "xml:lang") ?? "").trim().slice(0, 64);
  const title = titleOf(document).trim().toWellFormed();
  const hasTitle = fitsBytes(title, captureBounds.titleBytesMax);
  const referrer = fitUrl(referrerOf(document)) ?? "";
  return {
    url,
    title: hasTitle ? title : "",
    isActive: visibilityOf(document) === "visible",
    isLoading: readyStateOf(document) !== "complete",
    ...(referrer !== "" && { referrer }),
    ...(lang !== "" && { lang }),
    metadata: { ...metadataOf(document, href), ...(lang !== "" && { lang }), ...(!hasTitle && { truncated: true }) },
  };
}

function metadataOf(document: Document, href: string): PageFacts["metadata"] {
  const canonicalUrl = webAddress(firstAttribute(document, 'link[rel~="canonical" i][href]', "href"), href);
  const description =
    firstAttribute(document, 'meta[name="description" i][content]', "content") ||
    firstAttribute(document, 'meta[property="og:description" i][content]', "content");
  const contentType = contentTypeOf(document);
  return {
    ...(canonicalUrl !== "" && canonicalUrl !== href && { canonicalUrl }),
    ...(description !== "" &&
      (description.length > descriptionUnitsMax ? { truncated: true } : { description: description.toWellFormed() })),
    ...(contentType !== "text/html" && { contentType }),
  };
}

function firstAttribute(document: Document, selector: string, name: string): string {
  const [element] = select(document, selector);
  return element === undefined ? "" : (attributeOf(element, name)?.trim() ?? "");
}

/** An address within the contract's bound: without its fragment, then without its query, when it is too long. */
function fitUrl(address: string): string | undefined {
  return [address, address.replace(/#.*$/s, ""), address.replace(/[?#].*$/s, "")].find((shorter) =>
    fitsBytes(shorter, captureBounds.urlBytesMax),
  );
}

const urlUnitsMax = 2_048;

/** An address of the web, made absolute; empty for any other, and for one that is too long. Chrome has `URL.parse` only from 126 on. */
export function webAddress(address: string, base: string): string {
  if (address === "" || address.length > urlUnitsMax || !URL.canParse(address, base)) return "";
  const { protocol, href } = new URL(address, base);
  return /^https?:$/.test(protocol) && href.length <= urlUnitsMax ? href : "";
}
