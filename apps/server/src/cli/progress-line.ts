import type { Terminal } from "./terminal.js";

const barColumns = 30;
/** How often the line of a terminal is written anew, and how often another output gets a line. */
const redrawMs = 100;
const lineMs = 10_000;

/** How far a long command has come; the line of a terminal is gone when it is disposed. */
export interface ProgressLine extends Disposable {
  show(done: number, total: number): void;
}

/** Shows progress on standard error: one line that is written anew on a terminal, else a line every 10 seconds. */
export function progressLine({ err, isErrTerminal = false }: Terminal, unit: string): ProgressLine {
  const every = isErrTerminal ? redrawMs : lineMs;
  const start = { at: performance.now(), done: 0 };
  let isStarted = false;
  let isShown = false;
  let nextAt = isErrTerminal ? 0 : start.at + every;

  return {
    show(done, total) {
      // What was done before this run says nothing of its speed.
      if (!isStarted) start.done = done;
      isStarted = true;
      const now = performance.now();
      if (now < nextAt) return;
      nextAt = now + every;
      const perSecond = (done - start.done) / Math.max(0.001, (now - start.at) / 1000);
      const text = lineOf({ done, total, perSecond, unit });
      isShown = isErrTerminal;
      err(isErrTerminal ? `\r${bar(done, total)} ${text}\u001B[K` : `${text}\n`);
    },
    [Symbol.dispose]() {
      if (isShown) err("\r\u001B[K");
    },
  };
}

function lineOf({ done, total, perSecond, unit }: { done: number; total: number; perSecond: number; unit: string }): string {
  const seconds = perSecond > 0 ? Math.ceil((total - done) / perSecond) : undefined;
  const left = seconds === undefined || done >= total ? "" : `, ${seconds} s left`;
  return `${percent(done, total)}  ${count(done)} of ${count(total)} ${unit}, ${count(Math.round(perSecond))} a second${left}`;
}

const shareOf = (done: number, total: number): number => (total === 0 ? 1 : Math.min(1, done / total));

const percent = (done: number, total: number): string => `${Math.floor(shareOf(done, total) * 100)}%`.padStart(4);

function bar(done: number, total: number): string {
  const filled = Math.round(shareOf(done, total) * barColumns);
  return `[${"#".repeat(filled)}${"-".repeat(barColumns - filled)}]`;
}

/** A number as people read it: `12,345`. */
export function count(value: number): string {
  return value.toLocaleString("en-US");
}
