import { randomOf } from "../../measure/random.ts";
import type { BenchDocument } from "../../service/documents.ts";
import { InventedNames } from "./invented-names.ts";
import type { SourcePage, SourceText } from "./source-text.ts";

/** Bounds of a document's length, drawn evenly: 5 KB on average. Characters. */
const chars = { min: 2_000, max: 8_000 };
/** A name for every so many words. */
const wordsPerName = 60;
const sentencesPerParagraph = 4;

/** As many different documents as are asked for, each put together from real text by its number alone. */
export class ScaleDocuments {
  readonly #source: SourceText;
  readonly #names: InventedNames;

  constructor(source: SourceText) {
    this.#source = source;
    this.#names = new InventedNames(source.words);
  }

  /** The document of a number; the same number gives the same one. */
  document(number: number): BenchDocument {
    const random = randomOf(Math.imul(number + 1, 0x85_eb_ca_6b) ^ (number >>> 7));
    const page = this.#page(random);
    const wanted = chars.min + Math.floor(random() * (chars.max - chars.min));
    let text = "";
    while (text.length < wanted) text += `${this.#part(page, random)}\n\n`;
    const content = this.#withNames(text.slice(0, wanted), random);
    const name = this.#names.draw(random);
    return {
      url: addressOf(page.url, name, number, random()),
      title: random() < 0.5 ? `${page.title} · ${name}` : page.title,
      content: content.toWellFormed(),
    };
  }

  /** A few paragraphs as they stand, from this page more often than from another, or one of sentences from anywhere. */
  #part(page: SourcePage, random: () => number): string {
    if (random() < 0.5) {
      const { paragraphs } = random() < 0.6 ? page : this.#page(random);
      const start = Math.floor(random() * paragraphs.length);
      return paragraphs.slice(start, start + 1 + Math.floor(random() * 3)).join("\n\n");
    }
    const { sentences } = this.#source;
    return Array.from({ length: sentencesPerParagraph }, () => sentences[Math.floor(random() * sentences.length)]).join(" ");
  }

  #page(random: () => number): SourcePage {
    const { pages } = this.#source;
    return pages[Math.floor(random() * pages.length)] ?? { url: "https://example.com/", title: "", paragraphs: ["Nothing."] };
  }

  /** Names take the place of words, evenly over the text. */
  #withNames(text: string, random: () => number): string {
    const words = text.split(" ");
    for (let at = Math.floor(random() * wordsPerName); at < words.length; at += wordsPerName) {
      if (/^\p{L}+$/u.test(words[at] ?? "")) words[at] = this.#names.draw(random);
    }
    return words.join(" ");
  }
}

/** A page of its own below the real one; one in five on a site of its own. */
function addressOf(base: string, name: string, number: number, draw: number): string {
  const url = new URL(base);
  if (draw < 0.2) url.host = `${name.toLowerCase()}.example`;
  url.hash = "";
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}-${number.toString(36)}`;
  return url.href;
}
