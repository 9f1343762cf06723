import { type Language, languages, stopWords } from "./analysis/languages.js";
import { wordsOf } from "./analysis/term-stream.js";
import { readableUrl } from "./readable-url.js";

/** A parsed query: all of `all` are looked for, each a group of alternatives (`OR`), and none of `none`. */
export interface SearchExpression {
  /** Never empty, and none of its groups is. */
  all: ReadonlyArray<readonly SearchTerm[]>;
  none: readonly SearchTerm[];
}

/** One thing that is looked for: a word, something written together (`node.js`, `getUserName`), or a quoted phrase. */
export interface SearchTerm {
  /** As it was typed, without operators and the scheme of an address. An address with percent escapes is a second term with them decoded. */
  text: string;
  /** Its words in order, folded; never empty. */
  words: readonly string[];
  /** Whether it was quoted: then its words must follow each other as they stand. */
  isPhrase: boolean;
}

/** Signs between words that are written together but not meant as one; others (`node.js`, `wi-fi`, `user@host`) join them into a phrase. */
const brackets = /[()[\]{}<>^*,;|!?"]+/;

/** Quotes as they are printed, which some keyboards put for plain ones. */
export const typographicQuotes = /[\u201c-\u201f\u00ab\u00bb\uff02]/g;

interface Token {
  term: SearchTerm;
  isOr: boolean;
  excluded: boolean;
}

/**
 * Reads the query language: words, `"quoted phrases"` (printed quotes are as good), `-without`, `OR` in capitals between two alternatives.
 * Broken operators (an open quote, a lone `-`, an `OR` with nothing beside it) are read as plain words.
 * `undefined` when nothing is wanted: only stop words, only `-words`, or no words at all.
 */
export function parseQuery(query: string): SearchExpression | undefined {
  const tokens = tokensOf(query.replace(typographicQuotes, '"'));
  const language = languageOf(tokens);
  // What says nothing in one language may be a name in another: "Hà Nội" is two stop words of Italian.
  return expressionOf(tokens, language) ?? expressionOf(tokens, "en") ?? expressionOf(tokens, "en", true);
}

/** @param keepsCompounds whether compounds of stop words, such as `to-do`, are wanted too */
function expressionOf(tokens: readonly Token[], language: Language, keepsCompounds = false): SearchExpression | undefined {
  const all = new Map<string, SearchTerm[]>();
  const none = new Map<string, SearchTerm>();
  for (const group of groupsOf(tokens)) {
    const [first] = group;
    if (first.excluded) none.set(keyOf(first.term), first.term);
    const terms = group.filter((token) => !token.excluded && !isStop(token.term, language, keepsCompounds)).map(({ term }) => term);
    if (terms.length > 0) all.set(terms.map(keyOf).join("|"), terms);
  }
  return all.size === 0 ? undefined : { all: [...all.values()], none: [...none.values()] };
}

/** Alternatives that `OR` joins belong together; everything else stands alone, an `OR` without neighbours among it. */
function groupsOf(tokens: readonly Token[]): Array<[Token, ...Token[]]> {
  const groups: Array<[Token, ...Token[]]> = [];
  let joins = false;
  for (const [at, token] of tokens.entries()) {
    const last = groups.at(-1);
    if (joins && last) {
      last.push(token);
      joins = false;
    } else if (token.isOr && last && canJoin(last[0]) && canJoin(tokens[at + 1])) {
      joins = true;
    } else {
      groups.push([token]);
    }
  }
  return groups;
}

function canJoin(token: Token | undefined): boolean {
  return token !== undefined && !token.isOr && !token.excluded;
}

const keyOf = ({ words, isPhrase }: SearchTerm): string => (isPhrase ? `"${words.join(" ")}` : words.join(" "));

/** A contraction, such as `don't`. */
const contraction = /^\p{L}+['\u2019]\p{L}+$/u;

/** Names such as AT&T and quoted phrases are never left out. A single stop word always is, also if it is quoted. */
function isStop({ text, words, isPhrase }: SearchTerm, language: Language, keepsCompounds: boolean): boolean {
  const isKept = isPhrase || text.includes("&") || (keepsCompounds && !contraction.test(text));
  if (words.length > 1 && isKept) return false;
  return words.every((word) => stopWords.en.has(word) || stopWords[language].has(word));
}

/**
 * The language whose stop words are left out beside the English ones. What is one in another language may say a lot in English (die, war,
 * men), so there must be two of them, and more than of English.
 */
function languageOf(tokens: readonly Token[]): Language {
  const words = new Set(
    tokens.filter(({ term, excluded, isOr }) => !term.isPhrase && !excluded && !isOr).flatMap(({ term }) => term.words),
  );
  const stops = (language: Language): number => [...words].filter((word) => stopWords[language].has(word)).length;
  let best: Language = "en";
  for (const language of languages) if (stops(language) >= 2 && stops(language) > stops(best)) best = language;
  return best;
}

/** How the address of a page begins. */
const scheme = /^(?:https?|file):\/{2,}/i;

/** Splits at white space outside quotes, and at brackets outside addresses. Pieces without a letter or digit say nothing and are left out. */
function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  const push = (typed: string, kind: "word" | "phrase" | "or", excluded: boolean): void => {
    const text = typed.replace(scheme, "");
    const words = wordsOf(text);
    if (words.length > 0) tokens.push({ term: { text, words, isPhrase: kind === "phrase" }, isOr: kind === "or", excluded });
    const readable = text === typed ? text : readableUrl(typed);
    if (readable === text) return;
    // Pages that mention the address may have its percent escapes as they were typed.
    if (!excluded) push("OR", "or", false);
    push(readable, kind, excluded);
  };
  let at = 0;
  while (at < query.length) {
    if (isSpace(query, at)) {
      at++;
      continue;
    }
    const atStart = at === 0 || isSpace(query, at - 1);
    const excluded = atStart && query[at] === "-" && at + 1 < query.length && query[at + 1] !== "-" && !isSpace(query, at + 1);
    const start = excluded ? at + 1 : at;
    const close = query[start] === '"' ? query.indexOf('"', start + 1) : -1;
    if (close > start) {
      push(query.slice(start + 1, close).trim(), "phrase", excluded);
      at = close + 1;
      continue;
    }
    let end = start + 1;
    while (end < query.length && !isSpace(query, end) && !opensPhrase(query, end)) end++;
    const text = query.slice(start, end);
    if (text === "OR" && !excluded) push(text, "or", false);
    else for (const part of scheme.test(text) ? [text] : text.split(brackets)) push(part, "word", excluded);
    at = end;
  }
  return tokens;
}

function isSpace(query: string, at: number): boolean {
  return /\s/.test(query.charAt(at));
}

/** A quote in the middle of a word ends the word when it opens a phrase: `foo"bar baz"`. */
function opensPhrase(query: string, at: number): boolean {
  return query[at] === '"' && query.includes('"', at + 1);
}
