import { readFileSync } from "node:fs";
import { UsageError } from "./failure.js";

/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  /** The environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  out: (text: string) => void;
  /** Writes to standard error. */
  err: (text: string) => void;
  /** Whether standard error is a terminal, where a line can be redrawn. */
  isErrTerminal?: boolean | undefined;
  /** Reads standard input to its end. */
  input?: (() => Promise<string>) | undefined;
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

/** Text of a file, or of standard input for `-`. Throws {@link UsageError} when it cannot be read. */
export async function readText(path: string, { input }: Terminal): Promise<string> {
  if (path === "-" && input) return await input();
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(code === "ENOENT" ? `There is no file ${path}.` : `${path} cannot be read (${code}).`);
  }
}

/** Listens for SIGTERM and SIGINT until it is disposed. */
export interface StopSignal extends Disposable {
  /** Resolves with the first signal. */
  requested: Promise<void>;
  /** Whether there was one. */
  readonly isRequested: boolean;
}

// Ctrl-C reaches a process twice when a package manager stands between: from the terminal, and forwarded.
const sameSignalMs = 500;

/** Listens for SIGTERM and SIGINT. A second signal, more than half a second after the first, ends the process at once. */
export function listenForStop(): StopSignal {
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
    requested: promise,
    get isRequested() {
      return firstAt !== undefined;
    },
    [Symbol.dispose]: () => void process.off("SIGTERM", onSignal).off("SIGINT", onSignal),
  };
}
