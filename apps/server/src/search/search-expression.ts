/**
 * A parsed query. All of `all` are wanted; each is a group of alternatives (`OR`), and an alternative
 * is a sequence of words: one word, or the words of a quoted phrase in order. None of `none` may occur.
 */
export interface SearchExpression {
  /** Never empty, and none of its groups is. */
  all: ReadonlyArray<ReadonlyArray<SearchTerm>>;
  none: readonly SearchTerm[];
}

/** One word, or several that follow each other; never empty. Words are letters, digits and their marks, in lower case and NFC. */
export type SearchTerm = readonly string[];
