/** Finds the article of a page. `readability()` of `@periscope/sync/readability` is one. */
export interface Reader {
  /** Elements that it gets through in a millisecond, as a first guess: on a page with more than the budget allows it is not asked. */
  readonly elementsPerMs: number;
  /**
   * The element with the article, or undefined when there is none. Fields, what the rules deny and what is hidden are not in `copy`, which it may
   * change as it likes.
   */
  articleOf(copy: Document): Element | undefined;
}

/** Writes markdown. `markdown()` of `@periscope/sync/markdown` is one. */
export interface MarkdownWriter {
  /** Elements that it gets through in a millisecond, as a first guess. */
  readonly elementsPerMs: number;
  /** The markdown of an element of a copy, as it is given to a reader. */
  markdownOf(element: Element): string;
}
