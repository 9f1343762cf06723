import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { Interrupted, UsageError } from "./failure.js";

/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether standard error is a terminal, where a line can be redrawn. */
  isErrTerminal?: boolean | undefined;
  /** Reads standard input to its end. */
  input?: (() => Promise<string>) | undefined;
  /** Standard input as it arrives. */
  stdin?: AsyncIterable<Uint8Array> | undefined;
  /** Standard output for what is long. */
  stdout?: NodeJS.WritableStream | undefined;
  /** Asks the person at the keyboard; absent when there is none. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** How the user started this command and can type it again: by package script, by npx, or installed. */
export function commandName(env: Terminal["env"]): string {
  const event = env["npm_lifecycle_event"];
  if (event === undefined) return "periscope";
  return event === "npx" ? "npx @periscope/server" : "npx pnpm@12 periscope";
}

/** A word quoted for a POSIX shell, where needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Throws {@link UsageError} when there is no such file, it is a folder, or this user may not read it. */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`There is no file ${path}.`);
  if (found.isDirectory()) throw new UsageError(`${path} is a folder, not a file.`);
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Text of a file, or of standard input for `-`. Throws {@link UsageError} when it cannot be read. */
export async function readText(path: string, { input }: Terminal): Promise<string> {
  if (path === "-" && input) return await input();
  requireFile(path);
  return readFileSync(path, "utf8");
}

// Ctrl-C reaches a process twice when a package manager stands between: from the terminal, and forwarded.
const sameSignalMs = 500;

/**
 * Listens for SIGTERM and SIGINT until it is disposed. A second signal, more than half a second after the first, ends the process at once.
 */
export function listenForStop() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    if (firstAt !== undefined && now - firstAt > sameSignalMs) process.exit(1);
    firstAt ??= now;
    resolve();
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  return {
    /** Resolves with the first signal. */
    requested: promise,
    get isRequested(): boolean {
      return firstAt !== undefined;
    },
    [Symbol.dispose]: () => void process.off("SIGTERM", onSignal).off("SIGINT", onSignal),
  };
}

/** Rows as aligned columns under their headings, ending in a line break. */
export function table(headings: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return padded.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Counts, each with what it counts, aligned to the right. */
export function countTable(rows: ReadonlyArray<readonly [what: string, counted: number]>): string {
  const numbers = ["COUNT", ...rows.map(([, counted]) => count(counted))];
  const width = Math.max(...numbers.map(({ length }) => length));
  const [heading = "", ...cells] = numbers.map((number) => number.padStart(width));
  return table(
    ["WHAT", heading],
    rows.map(([what], index) => [what, cells[index] ?? ""]),
  );
}

/** A time for people: RFC 3339 in UTC to the second, or a word when there is none. */
export function time(at: number | null, none: string): string {
  return at === null ? none : new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
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

/**
 * Shows the progress of a long command on standard error: a terminal gets one line that is redrawn, any other output a line every 10
 * seconds. Disposing clears the line.
 */
export function progressLine({ err, isErrTerminal = false }: Terminal, unit: string) {
  const every = isErrTerminal ? redrawMs : lineMs;
  const startedAt = performance.now();
  let doneBefore: number | undefined;
  let isShown = false;
  let nextAt = isErrTerminal ? 0 : startedAt + every;

  return {
    show(done: number, total: number): void {
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
      isShown = false;
    },
  };
}

/** The same for work that ends at Ctrl-C: `show` then throws {@link Interrupted} with this advice. */
export function stoppableProgress(terminal: Terminal, unit: string, advice: string) {
  const [stop, line] = [listenForStop(), progressLine(terminal, unit)];
  return {
    show(done: number, total: number): void {
      if (stop.isRequested) throw new Interrupted(advice);
      line.show(done, total);
    },
    [Symbol.dispose]() {
      line[Symbol.dispose]();
      stop[Symbol.dispose]();
    },
  };
}
