import type { Terminal } from "./terminal.js";

/** Rows as aligned columns under their headings, ending in a line break. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return padded.map((line) => `${line.trimEnd()}\n`).join("");
}

/** A time for people: RFC 3339 in UTC to the second, or a word when there is none. */
export function time(at: number | null, none: string): string {
  return at === null ? none : new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A time for JSON. */
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** A number for people: `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Text from outside in quotes, with characters that control a terminal escaped. */
export function printable(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

const barColumns = 30;
const redrawMs = 100;
const lineMs = 10_000;

/** The progress of a long command; disposing clears its line. */
export interface ProgressLine extends Disposable {
  show(done: number, total: number): void;
}

/** Shows progress on standard error: a terminal gets one line that is redrawn, any other output a line every 10 seconds. */
export function progressLine({ err, isErrTerminal = false }: Terminal, unit: string): ProgressLine {
  const every = isErrTerminal ? redrawMs : lineMs;
  const startedAt = performance.now();
  let doneBefore: number | undefined;
  let isShown = false;
  let nextAt = isErrTerminal ? 0 : startedAt + every;

  return {
    show(done, total) {
      // What an earlier run did says nothing about the speed of this one.
      doneBefore ??= done;
      const now = performance.now();
      if (now < nextAt) return;
      nextAt = now + every;
      const perSecond = (done - doneBefore) / Math.max(0.001, (now - startedAt) / 1000);
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const percent = `${Math.floor(share * 100)}%`.padStart(4);
      const left = perSecond > 0 && done < total ? `, ${Math.ceil((total - done) / perSecond)} s left` : "";
      const text = `${percent}  ${count(done)} of ${count(total)} ${unit}, ${count(Math.round(perSecond))} per second${left}`;
      isShown = isErrTerminal;
      err(isErrTerminal ? `\r[${"#".repeat(Math.round(share * barColumns)).padEnd(barColumns, "-")}] ${text}\u001B[K` : `${text}\n`);
    },
    [Symbol.dispose]() {
      if (isShown) err("\r\u001B[K");
    },
  };
}
