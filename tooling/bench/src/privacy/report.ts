import { renderTable, type Column } from "@periscope/harness/old-table";
import type { DocumentFormat } from "./filter-documents.ts";
import type { Comparison } from "./turns.ts";

/**
 * Megabytes a second that the filter has to reach on documents of 1 MB. Held against processor time: on a machine with nothing else to do
 * the clock shows no less.
 */
const aim = 10;

/** One document at one level. */
export interface FilterResult extends Comparison {
  format: DocumentFormat;
  call: "redactText" | "redactHtml";
  level: string;
  /** Identifiers in the document that the level removes. */
  planted: number;
  /** How many of them one `replace` after another left. */
  textbookLeft: number;
}

const right = (title: string): Column => ({ title, align: "right" });
const columns: readonly Column[] = [
  { title: "document" },
  { title: "level" },
  { title: "call" },
  right("MB/s"),
  right("a CPU second"),
  { title: "aim" },
  right("copy"),
  right("ratio"),
  right("textbook"),
  right("ratio"),
  right("it leaves"),
];

/** The measured documents as lines under 100 columns. Sides are compared by processor time. */
export function comparisonTable(results: readonly FilterResult[]): string {
  const rows = results.map(({ format, level, call, speeds, toCopy, toTextbook, planted, textbookLeft }) => [
    format,
    level,
    call,
    speeds.filter.wall.toFixed(1),
    speeds.filter.processor.toFixed(1),
    `${aim} ${speeds.filter.processor >= aim ? "met" : "missed"}`,
    speeds.copy.processor.toFixed(0),
    toCopy.toFixed(3),
    speeds.textbook.processor.toFixed(1),
    toTextbook.toFixed(2),
    `${textbookLeft} of ${planted}`,
  ]);
  return renderTable(columns, rows).join("\n");
}
