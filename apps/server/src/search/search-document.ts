import type { Metadata, PrivacyLevel, TabMetadata } from "@periscope/schemas";
import type { Filtered } from "../privacy/privacy-filter.js";
import { detectPageLanguage } from "./analysis/detect-language.js";
import type { Language } from "./analysis/languages.js";
import { readTerms } from "./analysis/term-stream.js";
import { anyTerm, languageTerm, levelTerm, timeTerms, typeTerm } from "./index-terms.js";
import { indexedTextOf, type TextSource } from "./plain-text.js";
import { impactTerms } from "./ranking.js";
import { encodeTerms } from "./stored-terms.js";
import { urlGrams } from "./url-pattern.js";

/** What of a stored context is searched. */
export interface SearchableContext extends TextSource<Filtered<string>> {
  privacyLevel: PrivacyLevel;
  /** Milliseconds since the epoch. */
  capturedAt: number;
  url: Filtered<string>;
  title: Filtered<string>;
  tabMetadata: Filtered<TabMetadata>;
  metadata: Filtered<Metadata>;
}

/** A context as an engine indexes it: lists of index terms, with one space between them. */
export interface SearchDocument {
  /** Terms of the title, in order. */
  title: string;
  /** Terms of URL and metadata, in order. */
  meta: string;
  /** Terms of the content, in order. */
  content: string;
  /** Further forms of words, without an order: other stems, words written together, single characters. */
  forms: string;
  /** Terms to filter by, each once: level, type, language, day, month. */
  filters: string;
  /** Words that say much about the context, for an engine that ranks by them; see `impactTerms`. */
  impacts: string;
  /** Trigrams of the URL, in order. */
  urlGrams: string;
  /** Terms for ranking; see `encodeTerms`. */
  stored: Uint8Array;
}

/** Analyses a context. Made from filtered text only, so what comes out has passed the filter too. Time is linear in its length. */
export function searchDocument(context: SearchableContext): Filtered<SearchDocument> {
  const { title, url, tabMetadata } = context;
  const text = indexedTextOf(context);
  const language = detectPageLanguage(title, text, tabMetadata.lang ?? "");
  const forms = new Set<string>();
  const lists = {
    language,
    title: termsOf([title], language, forms),
    meta: termsOf([readableUrl(url), ...metadataValues(context)], language, forms),
    content: termsOf([text], language, forms),
    forms: [...forms],
  };
  limitDistinctWords([lists.title, lists.meta, lists.content, lists.forms]);
  const filters = [
    anyTerm,
    languageTerm(language),
    levelTerm(context.privacyLevel),
    typeTerm(context.type),
    ...timeTerms(context.capturedAt),
  ];
  const document: SearchDocument = {
    title: wordTerms(lists.title),
    meta: wordTerms(lists.meta),
    content: wordTerms(lists.content),
    // They stand in no order, so no phrase may cross from one to the next.
    forms: wordTerms(lists.forms.flatMap((form, index) => (index === 0 ? [form] : ["", form]))),
    filters: filters.join(" "),
    impacts: impactTerms(lists).join(" "),
    urlGrams: urlGrams(url).join(" "),
    stored: encodeTerms(lists),
  };
  return document as Filtered<SearchDocument>;
}

/** Words as index terms, see `wordTerm`; an empty one keeps phrases from crossing from one text to the next. */
const wordTerms = (terms: readonly string[]): string => (terms.length === 0 ? "" : `:${terms.join(" :")}`);

function termsOf(texts: readonly string[], language: Language, forms: Set<string>): string[] {
  const terms: string[] = [];
  for (const [index, text] of texts.entries()) {
    if (index > 0) terms.push("");
    readTerms(text, language, {
      term: (term) => void terms.push(term),
      form: (form) => void forms.add(form),
    });
  }
  return terms;
}

/** Different words of a context that are indexed. The longest novels have fewer; writing twice as many takes 0.1 s, and every writer waits as long. */
const differentMax = 32_768;
/** Of those, in one place of FTS5's hash table, of {@link places}. Texts that nobody has crafted come to 32 at most. */
const crowdMax = 64;
const places = 65_536;
const encoder = new TextEncoder();

/**
 * Leaves out words past the first {@link differentMax}, and of those in one place of a hash table past the first {@link crowdMax}; others
 * keep their positions. FTS5 collects the words of a transaction in a table whose hash has no key (`fts5HashKey`), so that a page of
 * words that all have one hash would hold up every writer for many seconds.
 */
function limitDistinctWords(lists: readonly string[][]): void {
  const counts = new Uint32Array(places);
  const isLeftOut = new Map<string, boolean>();
  const bytes = new Uint8Array(512);
  for (const list of lists)
    for (const [index, term] of list.entries()) {
      let leftOut = isLeftOut.get(term) ?? isLeftOut.size >= differentMax;
      if (!leftOut && !isLeftOut.has(term)) {
        // As FTS5 does; what stands before all words of a user changes nothing.
        let place = 13;
        for (let at = encoder.encodeInto(term, bytes).written - 1; at >= 0; at--)
          place = ((place << 3) ^ place ^ (bytes[at] ?? 0)) % places;
        counts[place] = (counts[place] ?? 0) + 1;
        leftOut = (counts[place] ?? 0) > crowdMax;
        isLeftOut.set(term, leftOut);
      }
      if (leftOut) list[index] = "";
    }
}

/** Without the scheme, which says nothing, and with its letters as they are read. */
function readableUrl(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/*/i, "");
  if (!rest.includes("%")) return rest;
  // Piece by piece: one that does not decode spoils no other.
  return rest.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return " ";
    }
  });
}

/**
 * Of the JSON objects the values are searched, not the keys: neither `isActive` nor true says what a page is about. A tab's own title
 * and URL mostly repeat the context's, and the time of its last update is no text.
 */
function metadataValues({ metadata, tabMetadata, title, url }: SearchableContext): string[] {
  const tab = Object.entries(tabMetadata).filter(([key, value]) => key !== "lastUpdated" && value !== title && value !== url);
  return [...Object.values(metadata), ...tab.map(([, value]) => value)].flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  );
}
