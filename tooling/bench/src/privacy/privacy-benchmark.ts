import { redactHtml, redactText } from "@periscope/privacy";
import type { BenchmarkInput } from "../benchmarks.ts";
import { thisMachine } from "../measure/machine.ts";
import { writeResults } from "../results.ts";
import { documentFormats, filterDocument, type FilterDocument } from "./filter-documents.ts";
import type { Sprinkle } from "./identifiers.ts";
import { privacyOptions } from "./options.ts";
import { comparisonTable, type FilterResult } from "./report.ts";
import { textbookFilter } from "./textbook-filter.ts";
import { compareByTurns, type SideName } from "./turns.ts";

/** Levels at which content is filtered by different means: HTML stays HTML at the first and becomes text at the second. */
const levels = ["private", "filtered"] as const;
type Level = (typeof levels)[number];

/** The privacy filter on documents of 1 MB, beside a copy of the text and beside one `replace` after another. */
export async function runPrivacyBenchmark({ args, signal, print }: BenchmarkInput): Promise<void> {
  const options = privacyOptions(args);
  const results: FilterResult[] = [];
  for (const format of documentFormats) {
    const document = filterDocument(format, options.chars);
    print(`${format}: ${(document.bytes / 1e6).toFixed(2)} MB with ${document.planted.length} identifiers, ${options.rounds} rounds.`);
    for (const level of levels) {
      const sides = sidesOf(document, level);
      const left = leftOf(document, level, sides);
      if (left.filter > 0) throw new Error(`The filter left ${left.filter} of the planted identifiers in ${format} at ${level}.`);
      const comparison = await compareByTurns({ sides, bytes: document.bytes, signal, ...options });
      const planted = document.planted.filter((sprinkle) => isRemoved(sprinkle, level)).length;
      results.push({
        format,
        call: format === "html" ? "redactHtml" : "redactText",
        level,
        planted,
        textbookLeft: left.textbook,
        ...comparison,
      });
    }
  }
  print(`\n${comparisonTable(results)}\n`);
  print(`Written to ${writeResults("privacy", { at: new Date(), machine: thisMachine(), options, results })}`);
}

function sidesOf({ format, content }: FilterDocument, level: Level): Record<SideName, () => string> {
  return {
    filter: format === "html" ? () => redactHtml(content, level).html : () => redactText(content, level, { format }).text,
    // Through memory of its own: a string that is only handed on costs nothing.
    copy: () => Buffer.from(content, "utf16le").toString("utf16le"),
    textbook: () => textbookFilter(content, level),
  };
}

/** How many of the planted values are still in what each side returns. */
function leftOf({ planted }: FilterDocument, level: Level, sides: Record<SideName, () => string>): Record<"filter" | "textbook", number> {
  const wanted = planted.filter((sprinkle) => isRemoved(sprinkle, level));
  const count = (text: string) => wanted.filter(({ value }) => text.includes(value)).length;
  return { filter: count(sides.filter()), textbook: count(sides.textbook()) };
}

function isRemoved({ from }: Sprinkle, level: Level): boolean {
  return from === "private" || level === "filtered";
}
