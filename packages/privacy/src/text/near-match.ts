/** Tells whether a pattern matches near places that are asked for in rising order: the text between two is searched once. */
export class NearMatch {
  readonly #text: string;
  readonly #pattern: RegExp;
  /** From where on was searched last, and the first match after it. */
  #from = 0;
  #next = -1;

  /** The pattern has the flag `g`. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Whether a match starts in `[from, to)`. */
  in(from: number, to: number): boolean {
    if (this.#next < from || from < this.#from) {
      this.#pattern.lastIndex = this.#from = Math.max(0, from);
      this.#next = this.#pattern.exec(this.#text)?.index ?? Number.POSITIVE_INFINITY;
    }
    return this.#next < to;
  }
}
