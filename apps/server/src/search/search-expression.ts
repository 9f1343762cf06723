/**
 * A parsed query. All of `all` are wanted; each is a group of alternatives (`OR`). None of `none` may occur.
 */
export interface SearchExpression {
  /** Never empty, and none of its groups is. */
  all: ReadonlyArray<readonly SearchTerm[]>;
  none: readonly SearchTerm[];
}

/** One thing that is looked for: a word, something written together (`node.js`, `getUserName`), or a quoted phrase. */
export interface SearchTerm {
  /** As it was typed, without operators. */
  text: string;
  /** Its words in order, folded; never empty. */
  words: readonly string[];
  /** Whether it was quoted: then its words are wanted as they follow each other, else they may be one word as well. */
  isPhrase: boolean;
}
