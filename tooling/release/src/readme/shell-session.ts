import { randomUUID } from "node:crypto";
import { killGroup, spawnGroup } from "../process-group.ts";
import type { CommandResult } from "../run-command.ts";

/** A shell that runs one command after the other, as a reader who pastes them into one terminal: a variable that one sets, the next one sees. */
export interface ShellSession extends AsyncDisposable {
  /** Runs a command with nothing on its standard input; 124 and the end of the shell when it takes too long. */
  run(command: string): Promise<CommandResult>;
}

/** Where the shell starts and how long a command may take. */
export interface ShellOptions {
  cwd: string;
  environment: NodeJS.ProcessEnv;
  timeoutMs: number;
}

/** Starts a shell; disposing kills it and everything it started. */
export function openShell({ cwd, environment, timeoutMs }: ShellOptions): ShellSession {
  const shell = spawnGroup("bash", ["--noprofile", "--norc"], { cwd, env: environment, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()));
  let output = "";
  let onOutput = () => {};
  shell.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
    onOutput();
  });
  shell.stdin?.on("error", () => {
    // The shell ended before it read the command: there will be no status.
  });

  return {
    async run(command) {
      // The status comes on the same stream as the output, after it, behind a word that no output holds.
      const mark = randomUUID();
      const { promise: answered, resolve } = Promise.withResolvers<CommandResult>();
      onOutput = () => {
        const [whole, status] = new RegExp(`${mark} (\\d+)\n`).exec(output) ?? [];
        if (whole !== undefined) resolve({ status: Number(status), output: output.replace(whole, "") });
      };
      output = "";
      shell.stdin?.write(`{ ${command}\n} </dev/null 2>&1\necho "${mark} $?"\n`);
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        killGroup(shell.pid);
      }, timeoutMs);
      const lost = ended.then(() => ({
        status: late ? 124 : 1,
        output: `${output}${late ? "\nStopped: it took too long.\n" : "\nThe shell ended.\n"}`,
      }));
      const result = await Promise.race([answered, lost]);
      clearTimeout(timer);
      return result;
    },
    async [Symbol.asyncDispose]() {
      killGroup(shell.pid);
      await ended;
    },
  };
}
