import { deflateRawSync, inflateRawSync } from "node:zlib";
import { defaultLanguage, type Language, languages } from "./analysis/languages.js";

/** Fields of a context as its terms are stored, each a list of terms in the order of the text. */
export interface TermLists {
  language: Language;
  title: readonly string[];
  /** URL and metadata. */
  meta: readonly string[];
  content: readonly string[];
  /** Further forms of words, without an order. */
  forms: readonly string[];
}

/** Stored terms as they are ranked. Each field begins and ends with a space, so that ` term ` finds it. */
export interface StoredTerms {
  language: Language;
  title: string;
  meta: string;
  content: string;
  forms: string;
  /** Terms of title, meta and the whole content. */
  lengths: readonly [number, number, number];
}

/** Terms of the content that are stored; ranking knows the beginning of longer ones. */
const contentTermsMax = 8_000;

/** Packs the terms of a context for ranking: lines of text under raw deflate (RFC 1951), since engines give their own terms back slowly or not at all. */
export function encodeTerms({ language, title, meta, content, forms }: TermLists): Uint8Array {
  const stored = content.length > contentTermsMax ? content.slice(0, contentTermsMax) : content;
  const fields = [title, meta, stored, forms].map((terms) => ` ${terms.join(" ")} `);
  const lines = [`${language} ${title.length} ${meta.length} ${content.length}`, ...fields];
  return deflateRawSync(lines.join("\n"), { level: 2, memLevel: 9 });
}

/** Reads what {@link encodeTerms} made. */
export function decodeTerms(bytes: Uint8Array): StoredTerms {
  const [head = "", title = "", meta = "", content = "", forms = ""] = inflateRawSync(bytes).toString("utf8").split("\n");
  const [name, ...counts] = head.split(" ");
  const [titleLength = 0, metaLength = 0, contentLength = 0] = counts.map(Number);
  const language = languages.find((each) => each === name) ?? defaultLanguage;
  return { language, title, meta, content, forms, lengths: [titleLength, metaLength, contentLength] };
}
