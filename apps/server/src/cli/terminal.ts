/** Where a command reads and writes: the process's own streams, or a test's. */
export interface Terminal {
  /** The environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  out: (text: string) => void;
  /** Writes to standard error. */
  err: (text: string) => void;
  /** Whether standard error is a terminal, where a line can be written anew. */
  isErrTerminal?: boolean | undefined;
  /** Reads standard input to its end. */
  input?: (() => Promise<string>) | undefined;
  /** Asks the person at the keyboard; absent when there is none. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** How this command was started, as it is to be typed again: by package script, by npx, or installed. */
export function commandName(env: Terminal["env"]): string {
  const event = env["npm_lifecycle_event"];
  if (event === undefined) return "periscope";
  return event === "npx" ? "npx @periscope/server" : "npx pnpm@12 periscope";
}

/** A word quoted for a POSIX shell, where that is needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
