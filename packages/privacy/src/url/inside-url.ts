import type { Span } from "../spans.js";
import { endsUrl } from "./url-end.js";

/** How far back the start of a URL is looked for. */
const reach = 2048;
const opaqueScheme = /(?:mailto|tel|sms|callto|skype|facetime)$/i;
const schemeMax = 8;

/**
 * Tells which spans are part of a URL, where brackets would have to be escaped. Spans of the URL rules are by
 * definition; any other is when a scheme comes before it without white space or a quote in between. Spans in order are told fastest: the text
 * between two is read once.
 */
export class UrlPlaces {
  readonly #text: string;
  /** First unit that has not been read. */
  #next = 0;
  /** First unit after the last one that ends a URL. */
  #from = 0;
  /** Where the last `://` and the last colon since then are; -1 for none. */
  #scheme = -1;
  #colon = -1;

  constructor(text: string) {
    this.#text = text;
  }

  has(span: Span): boolean {
    if (span.rule.startsWith("url:")) return true;
    this.#readTo(span.start);
    if (this.#scheme >= Math.max(this.#from, span.start - reach)) return true;
    const colon = this.#colon;
    return (
      colon > this.#from &&
      span.start - colon <= reach &&
      opaqueScheme.test(this.#text.slice(Math.max(this.#from, colon - schemeMax), colon))
    );
  }

  #readTo(end: number): void {
    // Back to what ends a URL, to what was read, or as far as it matters: in prose that is a word.
    const least = Math.max(0, end - reach, end >= this.#next ? this.#next : 0);
    let from = end;
    while (from > least && !endsUrl(this.#text.charCodeAt(from - 1))) from--;
    if (from > least || from !== this.#next) {
      this.#from = from;
      this.#scheme = this.#colon = -1;
    }
    for (this.#next = from; this.#next < end; this.#next++) {
      if (this.#text.charCodeAt(this.#next) !== 0x3a) continue;
      this.#colon = this.#next;
      if (this.#text.startsWith("://", this.#next) && this.#next + 3 <= end) this.#scheme = this.#next;
    }
  }
}
