import type { ContextType, Metadata, PrivacyLevel, TabMetadata } from "@periscope/schemas";
import type { Filtered } from "../privacy/privacy-filter.js";
import { detectPageLanguage } from "./analysis/detect-language.js";
import { type KnownWords, unplaced } from "./analysis/known-words.js";
import { PairCollector } from "./analysis/pair-filter.js";
import { scan, type TokenSink } from "./analysis/scan.js";
import { TermTable } from "./analysis/term-table.js";
import { encodeVector, type Field, fields, placeOf } from "./analysis/term-vector.js";
import { hashOf } from "./analysis/term-hash.js";
import { knownWordsIn, type WordTerms } from "./analysis/word-terms.js";
import { foldWord } from "./analysis/fold.js";
import type { Language } from "./analysis/languages.js";
import {
  anyTerm,
  type IndexTerm,
  languageTerm,
  levelTerm,
  timeTerms,
  titleTerm,
  typeTerm,
  urlTerm,
  wholeTitleTerm,
  wordTerm,
} from "./index-terms.js";
import { titleHashOf } from "./title-hash.js";
import { urlGrams } from "./url-grams.js";

/** What of a stored context is searched. */
export interface SearchableContext {
  type: ContextType;
  privacyLevel: PrivacyLevel;
  /** Milliseconds since the epoch. */
  capturedAt: number;
  url: Filtered<string>;
  title: Filtered<string>;
  content: Filtered<string>;
  /** What is searched instead of the content; null where that is plain text already. */
  plainText: Filtered<string> | null;
  tabMetadata: Filtered<TabMetadata>;
  metadata: Filtered<Metadata>;
}

/** A context as an engine indexes it. */
export interface SearchDocument {
  /** Index terms, each once, with a space between them. */
  terms: string;
  /** What ranking needs of the context; see `encodeVector`. */
  vector: Uint8Array;
  /** Which words may follow each other; see `mayHavePair`. Null when there are too many to tell. */
  pairs: Uint8Array | null;
}

/** Apart from each other, values of metadata make no phrase. Positions. */
const gap = 8;

/** Analyses a context. Made of nothing but filtered text, what comes out has passed the filter with it. Time is linear in its length. */
export function searchDocument(context: SearchableContext): Filtered<SearchDocument> {
  const { title, url, plainText, content, tabMetadata } = context;
  const text = plainText ?? content;
  const language = detectPageLanguage(title, text, tabMetadata.lang ?? "");
  const collector = new Collector(language);
  collector.add(fields.title, title);
  collector.add(fields.url, readableUrl(url));
  for (const value of metadataValues(context)) collector.add(fields.metadata, value);
  collector.add(fields.content, text);
  const titleHash = titleHashOf(title);
  const others = [
    anyTerm,
    languageTerm(language),
    levelTerm(context.privacyLevel),
    typeTerm(context.type),
    wholeTitleTerm(titleHash),
    ...timeTerms(context.capturedAt),
    ...urlGrams(url).map(urlTerm),
  ];
  const document: SearchDocument = {
    terms: collector.indexTerms([...new Set(others)]),
    vector: collector.vector(titleHash),
    pairs: pairs.filter(),
  };
  return document as Filtered<SearchDocument>;
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

// Used again for every context: a sync analyses one after the other.
const table = new TermTable();
const pairs = new PairCollector();

/** Collects the terms of a context, field by field. */
class Collector implements TokenSink {
  readonly #language: Language;
  /** Terms that the title has: those that come first. */
  #titleTerms = 0;
  readonly #lengths = [0, 0, 0, 0];
  readonly #words: KnownWords<WordTerms>;
  #text = "";
  #field: Field = fields.content;
  #position = 0;

  constructor(language: Language) {
    this.#language = language;
    this.#words = knownWordsIn(language);
    this.#words.begin();
    table.clear();
    pairs.clear();
  }

  add(field: Field, text: string): void {
    this.#text = text;
    this.#field = field;
    this.#position = this.#lengths[field] ?? 0;
    if (this.#position > 0) this.#position += gap;
    pairs.begin();
    scan(text, this);
    this.#lengths[field] = this.#position;
    if (field === fields.title) this.#titleTerms = table.size;
  }

  word(start: number, end: number): void {
    const word = this.#find(start, end);
    pairs.next();
    this.#add(this.#words.indexOf(word), this.#position);
    if (this.#words.accentedIndexOf(word) === unplaced) {
      const { accented, accentedHash } = this.#words.valueOf(word);
      this.#words.placeAccented(word, accented === undefined ? -1 : table.indexOf(accentedHash, accented));
    }
    this.#add(this.#words.accentedIndexOf(word), this.#position++);
  }

  joined(start: number, end: number, words: number): void {
    this.#add(this.#words.indexOf(this.#find(start, end)), this.#position - words, words - 1);
  }

  gram(start: number, end: number, pairEnd: number): void {
    pairs.next();
    const one = foldWord(this.#text.slice(start, end));
    // Not among the pairs: a query has one character at a place only when it stands alone there, and looks at places then.
    table.add(table.indexOf(hashOf(one), one), placeOf(this.#field, this.#position));
    if (pairEnd > end) {
      const two = foldWord(this.#text.slice(start, pairEnd));
      this.#add(table.indexOf(hashOf(two), two), this.#position);
    }
    this.#position++;
  }

  indexTerms(others: readonly IndexTerm[]): string {
    const titles = table.names.slice(0, this.#titleTerms).map(titleTerm);
    // Between the names stands what they begin with.
    const words = table.size === 0 ? [] : [wordTerm(table.names.join(` ${wordTerm("")}`))];
    return [...others, ...titles, ...words].join(" ");
  }

  vector(titleHash: number): Uint8Array {
    return encodeVector({ language: this.#language, titleHash, lengths: this.#lengths }, table);
  }

  /** A word of the text that is placed in the table: most of a page's words have come before in it. */
  #find(start: number, end: number): number {
    const word = this.#words.find(this.#text, start, end);
    if (!this.#words.isPlaced(word)) {
      const { hash, term } = this.#words.valueOf(word);
      this.#words.place(word, table.indexOf(hash, term));
    }
    return word;
  }

  /** Adds the term of this index at a position, which is so many words back. Terms past the bound are left out: the index has them neither. */
  #add(index: number, position: number, back = 0): void {
    if (index < 0) return;
    table.add(index, placeOf(this.#field, position));
    pairs.add(table.hashes[index] ?? 0, back);
  }
}
