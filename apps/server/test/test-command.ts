import { mkdtempSync, rmSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { test } from "vitest";
import { runCommand } from "../src/cli/program.js";

/** What a command did. */
export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** Standard error without the lines that a long command prints every ten seconds: how far it has come. */
export const withoutProgress = (err: string): string => err.replace(/^ *\d+%.*\n/gm, "");

/** The `periscope` command in this process, on a data directory that does not exist yet and is gone at the end of the block. */
export class TestCommand implements Disposable {
  readonly #parent = mkdtempSync(join(scratchFolder(), "periscope-command-"));
  readonly dataDir = join(this.#parent, "data");
  readonly env: Record<string, string>;
  /** What the person at the keyboard answers; without it, there is none. */
  answer: string | undefined;
  /** Standard input. */
  input = "";
  isErrTerminal = false;

  constructor(env: Record<string, string> = {}) {
    this.env = { PERISCOPE_DATA_DIR: this.dataDir, ...env };
  }

  async run(...words: string[]): Promise<CommandResult> {
    const result = { code: 0, out: "", err: "" };
    const { answer } = this;
    result.code = await runCommand(words, {
      env: this.env,
      out: (text) => void (result.out += text),
      err: (text) => void (result.err += text),
      isErrTerminal: this.isErrTerminal,
      input: async () => this.input,
      stdin: Readable.from([Buffer.from(this.input)]),
      stdout: new Writable({ write: (chunk: Buffer, _, done) => ((result.out += chunk.toString()), done()) }),
      ask: answer === undefined ? undefined : async () => answer,
    });
    return result;
  }

  /** Standard output of a command that must succeed, as JSON. */
  async json(...words: string[]): Promise<any> {
    const { code, out, err } = await this.run(...words, "--json");
    if (code !== 0) throw new Error(err);
    return JSON.parse(out);
  }

  [Symbol.dispose](): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }
}

/** Tests with a `command` of their own. */
// oxlint-disable-next-line no-empty-pattern -- Vitest asks for a pattern.
export const withCommand = test.extend("command", async ({}, { onCleanup }) => {
  const command = new TestCommand();
  onCleanup(() => command[Symbol.dispose]());
  return command;
});
