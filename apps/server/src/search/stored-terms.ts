import { defaultLanguage, type Language, languages } from "./analysis/languages.js";

/** One of the different words of a context. */
export interface DocumentWord {
  /** "" for one that is not indexed. */
  term: string;
  /** {@link hashOf} the term. */
  hash: number;
  /** How often it occurs, by the weights and lengths of the fields; see `impactTerms`. */
  frequency: number;
}

/** Fields of a context, each a list of words in the order of the text. */
export interface WordLists {
  language: Language;
  title: readonly DocumentWord[];
  /** URL and metadata. */
  meta: readonly DocumentWord[];
  content: readonly DocumentWord[];
  /** Further forms of words, without an order. */
  forms: readonly DocumentWord[];
}

/** Stored terms as they are ranked: of each term its {@link hashOf}, at its place in the field. */
export interface StoredTerms {
  language: Language;
  title: Uint16Array;
  meta: Uint16Array;
  content: Uint16Array;
  forms: Uint16Array;
  /** Terms of title, meta and the whole content. */
  lengths: readonly [number, number, number];
}

/** Terms of the content that are stored; ranking knows the beginning of longer ones. */
const contentTermsMax = 8_000;
/** Numbers before the hashes: the language, and how many terms title, meta, content and forms have. */
const headNumbers = 5;

/**
 * Packs the terms of a context for ranking, since engines give their own terms back slowly or not at all. A hash of 16 bits is enough: a
 * page of 500 different words is taken for one with a given word in one of 130 cases, and then for one that has it once.
 */
export function encodeTerms({ language, title, meta, content, forms }: WordLists): Uint8Array {
  const head = Uint32Array.of(languages.indexOf(language), title.length, meta.length, content.length, forms.length);
  const fields = [title, meta, content.slice(0, contentTermsMax), forms];
  const bytes = new Uint8Array(head.byteLength + 2 * fields.reduce((sum, { length }) => sum + length, 0));
  bytes.set(new Uint8Array(head.buffer));
  const hashes = new Uint16Array(bytes.buffer, head.byteLength);
  let at = 0;
  for (const field of fields) for (const { hash } of field) hashes[at++] = hash;
  return bytes;
}

export function decodeTerms(bytes: Uint8Array): StoredTerms {
  // Numbers begin at a multiple of their size.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const [language = 0, title = 0, meta = 0, content = 0, forms = 0] = new Uint32Array(buffer, byteOffset, headNumbers);
  let at = byteOffset + 4 * headNumbers;
  const field = (length: number): Uint16Array => {
    const hashes = new Uint16Array(buffer, at, length);
    at += hashes.byteLength;
    return hashes;
  };
  return {
    language: languages[language] ?? defaultLanguage,
    title: field(title),
    meta: field(meta),
    content: field(Math.min(content, contentTermsMax)),
    forms: field(forms),
    lengths: [title, meta, content],
  };
}

/** 16 bits of FNV-1a over UTF-16 units; 0 for the empty term alone. */
export function hashOf(term: string): number {
  let hash = 0x9e3779b9;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return term === "" ? 0 : (hash ^ (hash >>> 16)) & 0xffff || 1;
}
