import { fileURLToPath } from "node:url";
import { readPackagePages } from "@periscope/harness/pages";
import { randomOf } from "../measure/random.ts";

/** A document of the bench: real documentation text of about 5 KB. */
export interface BenchDocument {
  url: string;
  title: string;
  content: string;
}

const packageStore = fileURLToPath(new URL("../../../../node_modules/.pnpm", import.meta.url));

/** Different documents; a bench of more contexts visits them again, as people do. */
const count = 5_000;
/** Bounds of a document's length, drawn evenly: 5 KB on average. Characters. */
const charsMin = 2_000;
const charsMax = 8_000;

/**
 * Documents made of runs of paragraphs from the documentation that the installed packages ship.
 * The same installation gives the same documents.
 */
export function benchDocuments(): BenchDocument[] {
  const pages = readPackagePages(3_000, packageStore).filter(({ format }) => format === "markdown");
  const paragraphs = pages.map(({ content }) => content.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== ""));
  const random = randomOf(20_261_121);
  const pick = (length: number) => Math.floor(random() * length);
  return Array.from({ length: count }, (_, index) => {
    const first = pick(pages.length);
    const wanted = charsMin + pick(charsMax - charsMin);
    let content = "";
    for (let page = first; content.length < wanted; page = pick(pages.length)) {
      const run = paragraphs[page] ?? [];
      const start = pick(run.length);
      for (const paragraph of run.slice(start)) {
        if (content.length >= wanted) break;
        content += `${paragraph}\n\n`;
      }
    }
    const { url = "https://example.com/", title = "" } = pages[first] ?? {};
    return { url: withVisit(url, index), title, content: content.slice(0, wanted).toWellFormed() };
  });
}

function withVisit(address: string, index: number): string {
  const url = new URL(address);
  url.searchParams.set("page", String(index));
  return url.href;
}
