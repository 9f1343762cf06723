import { readPackagePages } from "@periscope/harness/pages";
import { randomFrom } from "./measure.ts";

/** A document of about 5 KB of documentation. */
export interface BenchDocument {
  url: string;
  title: string;
  content: string;
}

/** Creates any number of documents. The same installation gives the same document for the same number. */
export type Documents = (number: number) => BenchDocument;

/** Length of a document, 5 KB on average. Characters. */
const lengthMin = 2_000;
const lengthMax = 8_000;
/** One word of so many is an invented name. */
const wordsPerName = 60;

/**
 * Documents from paragraphs of the documentation that the installed packages ship. Invented names take the place of some words: in
 * real text the vocabulary grows with the store, and text that is only put together anew runs out of words.
 */
export function createDocuments(): Documents {
  const pages = readPackagePages()
    .filter(({ format }) => format === "markdown")
    .map(({ url, title, content }) => ({ url, title, paragraphs: content.split(/\n\s*\n/).filter((text) => text.trim() !== "") }));
  const words = [...new Set(pages.flatMap(({ paragraphs }) => paragraphs.join(" ").match(/\b[a-z]{6,12}\b/g) ?? []))].sort();
  return (number) => {
    const random = randomFrom(Math.imul(number + 1, 0x85_eb_ca_6b) ^ (number >>> 7));
    const pickPage = () =>
      pages[Math.floor(random() * pages.length)] ?? { url: "https://example.com/", title: "", paragraphs: ["Nothing."] };
    const home = pickPage();
    const length = lengthMin + Math.floor(random() * (lengthMax - lengthMin));
    let text = "";
    while (text.length < length) {
      const { paragraphs } = random() < 0.5 ? home : pickPage();
      const start = Math.floor(random() * paragraphs.length);
      text += `${paragraphs.slice(start, start + 3).join("\n\n")}\n\n`;
    }
    const parts = text.slice(0, length).split(" ");
    for (let at = Math.floor(random() * wordsPerName); at < parts.length; at += wordsPerName)
      if (/^\p{L}+$/u.test(parts[at] ?? "")) parts[at] = inventedName(words, random);
    const name = inventedName(words, random);
    const url = new URL(home.url);
    url.hash = "";
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}-${number.toString(36)}`;
    return { url: url.href, title: `${home.title} · ${name}`, content: parts.join(" ").toWellFormed() };
  };
}

/** Names are pieces of two words. A few are frequent, most are rare, and there is always another one (Heaps' law). */
function inventedName(words: readonly string[], random: () => number): string {
  const rank = Math.floor(500 * ((1 - random()) ** -2 - 1));
  const own = randomFrom(Math.imul(rank % 0xff_ff_ff_fb, 0x9e_37_79_b1));
  const piece = () => words[Math.floor(own() * words.length)] ?? "lamp";
  return piece().slice(0, 3 + Math.floor(own() * 4)) + piece().slice(-3 - Math.floor(own() * 4));
}

/** The context of a document, captured so many seconds after the epoch. */
export function contextOf({ url, title, content }: BenchDocument, number: number, epoch: number) {
  const timestamp = new Date(epoch + number * 1_000).toISOString();
  const tabMetadata = { id: "tab-1", url, title: title.slice(0, 500), isActive: true, isLoading: false, windowId: 1 };
  const id = `c${String(number).padStart(10, "0")}`;
  const context = {
    id,
    type: "page",
    tabId: "tab-1",
    capturedAt: timestamp,
    content,
    contentFormat: "markdown",
    tabMetadata,
    metadata: { source: "bench" },
  } as const;
  return { timestamp, context };
}

/** Searches of each kind. */
export interface Queries {
  rare: string[];
  medium: string[];
  common: string[];
  /** With their quotes. */
  phrase: string[];
  /** Parts of addresses. */
  url: string[];
  /** Words that no document has. */
  none: string[];
}

/** Shares of documents that hold a word of each kind. */
const shares = { rare: [0.0005, 0.003], medium: [0.02, 0.05], common: [0.15, 1] } as const;

/** Words that engines leave out, or might. */
const stopWords = new Set(
  "about after also and any are because been before being between both but can could did does each every few for from further had has have here how into its itself just like make many may more most must need not now only other our out over own same should some such than that the their them then there these they this those through under until use used uses using very was were what when where which while who why will with would you your".split(
    " ",
  ),
);

/** At most `count` searches of each kind, drawn from these documents; the same ones each time. */
export function createQueries(documents: readonly BenchDocument[], count: number): Queries {
  const random = randomFrom(20_261_122);
  const holders = new Map<string, number>();
  const phrases = new Set<string>();
  const addresses = new Set<string>();
  for (const { content, url } of documents) {
    const words = new Set(content.toLowerCase().match(/(?<![\p{L}\p{N}_])[a-z]{4,12}(?![\p{L}\p{N}_])/gu));
    for (const word of words) if (!stopWords.has(word)) holders.set(word, (holders.get(word) ?? 0) + 1);
    const pairs = [...content.matchAll(/(?<![\p{L}\p{N}_])([a-z]{4,12}) ([a-z]{4,12})(?![\p{L}\p{N}_])/gu)];
    const pair = pairs.filter(([, first = "", second = ""]) => !stopWords.has(first) && !stopWords.has(second)).at(0);
    if (pair) phrases.add(`"${pair[0]}"`);
    const address = url.slice(url.indexOf("//") + 2);
    addresses.add(address.slice(Math.floor((random() * address.length) / 2)).slice(0, 10));
  }
  const between = ([least, most]: readonly [number, number]) =>
    [...holders]
      .filter(([, held]) => held >= least * documents.length && held <= Math.max(1, most * documents.length))
      .map(([word]) => word)
      .sort();
  const draw = (values: Iterable<string>) =>
    [...values]
      .map((value) => [random(), value] as const)
      .sort(([a], [b]) => a - b)
      .slice(0, count)
      .map(([, value]) => value);
  // Letters as no language puts them together, so that no word is a typing error away.
  const unknown = Array.from({ length: count }, () => Array.from({ length: 9 }, () => "qxzjvwk".charAt(random() * 7)).join(""));
  return {
    rare: draw(between(shares.rare)),
    medium: draw(between(shares.medium)),
    common: draw(between(shares.common)),
    phrase: draw(phrases),
    url: draw(addresses),
    none: unknown,
  };
}
