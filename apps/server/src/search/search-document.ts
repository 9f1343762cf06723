import type { Metadata, PrivacyLevel, TabMetadata } from "@periscope/schemas";
import type { Filtered } from "../privacy/privacy-filter.js";
import { detectPageLanguage } from "./analysis/detect-language.js";
import { isAscii } from "./analysis/fold.js";
import { readTerms } from "./analysis/term-stream.js";
import { anyTerm, languageTerm, levelTerm, timeTerms, typeTerm } from "./index-terms.js";
import { indexedTextOf, type TextSource } from "./plain-text.js";
import { impactTerms } from "./ranking.js";
import { readableUrl } from "./readable-url.js";
import { type DocumentWord, encodeTerms, hashOf } from "./stored-terms.js";
import { siteTerms } from "./site-terms.js";
import { urlGrams } from "./url-pattern.js";

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
  title: string;
  /** Terms of URL and metadata, in order. */
  meta: string;
  content: string;
  /** Further forms of words, without an order: other stems, words written together, single characters. */
  forms: string;
  /** Terms to filter by, each once: level, type, language, day, month, site. */
  filters: string;
  /** Words that say much about the context, for an engine that ranks by them; see `impactTerms`. */
  impacts: string;
  /** Trigrams of the URL, in order. */
  urlGrams: string;
  /** Terms for ranking; see `encodeTerms`. */
  stored: Uint8Array;
}

/**
 * Analyses a context. Made from filtered text only, so what comes out has passed the filter too. Time is linear in its length.
 * @param text what `indexedTextOf` makes of the context, where that is at hand
 */
export function searchDocument(context: SearchableContext, text: string = indexedTextOf(context)): Filtered<SearchDocument> {
  const { title, url, tabMetadata } = context;
  const language = detectPageLanguage(title, text, tabMetadata.lang ?? "");
  const words = new DocumentWords();
  const forms = new Set<string>();
  const read = (texts: readonly string[]): DocumentWord[] => {
    const found: DocumentWord[] = [];
    for (const [index, each] of texts.entries()) {
      if (index > 0) found.push(words.get(""));
      readTerms(each, language, { term: (term) => void found.push(words.get(term)), form: (form) => void forms.add(form) });
    }
    return found;
  };
  const fields = { title: read([title]), meta: read([readableUrl(url), ...metadataValues(context)]), content: read([text]) };
  const lists = { ...fields, forms: [...forms].map((form) => words.get(form)), language };
  const filters = [
    anyTerm,
    languageTerm(language),
    levelTerm(context.privacyLevel),
    typeTerm(context.type),
    ...timeTerms(context.capturedAt),
    ...siteTerms(url),
  ];
  const document: SearchDocument = {
    title: wordTerms(lists.title),
    meta: wordTerms(lists.meta),
    content: wordTerms(lists.content),
    // They stand in no order, so no phrase may cross from one to the next.
    forms: wordTerms(lists.forms).replaceAll(" ", " : "),
    filters: filters.join(" "),
    impacts: impactTerms(words.all(), lists).join(" "),
    urlGrams: urlGrams(url).join(" "),
    stored: encodeTerms(lists),
  };
  return document as Filtered<SearchDocument>;
}

/** Words as index terms, see `wordTerm`; an empty one keeps phrases from crossing from one text to the next. */
const wordTerms = (words: readonly DocumentWord[]): string => (words.length === 0 ? "" : `:${words.map(({ term }) => term).join(" :")}`);

/** Different words of a context that are indexed. The longest novels have fewer; writing twice as many takes 0.1 s, and every writer waits as long. */
const differentMax = 32_768;
/** Most words kept in one of the {@link slots} of FTS5's hash table. Ordinary text has at most 32. */
const crowdMax = 64;
const slots = 65_536;
/** Words of the context at hand in each slot; used again, since making it takes longer than clearing it. */
const crowds = new Uint8Array(slots);
const encoder = new TextEncoder();

/**
 * The different words of a context. Left out are those past the first {@link differentMax}, and of those in one slot of a hash table past
 * the first {@link crowdMax}; others keep their positions. FTS5 collects the words of a transaction in a table whose hash has no key
 * (`fts5HashKey`), so that a page of words that all have one hash would hold up every writer for many seconds.
 * With the bound, a hundred such pages in one transaction take 0.3 s, 6 ms each.
 */
class DocumentWords {
  readonly #words = new Map<string, DocumentWord>();

  constructor() {
    crowds.fill(0);
  }

  get(term: string): DocumentWord {
    let word = this.#words.get(term);
    if (word) return word;
    const slot = toHashSlot(term);
    const crowd = crowds[slot] ?? 0;
    const isKept = this.#words.size < differentMax && crowd < crowdMax;
    if (isKept) crowds[slot] = crowd + 1;
    word = isKept ? { term, hash: hashOf(term), frequency: 0 } : { term: "", hash: 0, frequency: 0 };
    this.#words.set(term, word);
    return word;
  }

  all(): Iterable<DocumentWord> {
    return this.#words.values();
  }
}

/** Where FTS5's hash puts a term. What stands before all words of a user changes nothing. */
function toHashSlot(term: string): number {
  let slot = 13;
  if (isAscii(term)) {
    for (let at = term.length - 1; at >= 0; at--) slot = ((slot << 3) ^ slot ^ term.charCodeAt(at)) % slots;
    return slot;
  }
  for (const byte of encoder.encode(term).reverse()) slot = ((slot << 3) ^ slot ^ byte) % slots;
  return slot;
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
