import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { type ProgramOptions, runProgram, type RunningProgram, startProgram } from "@periscope/harness/program";
import { runUntilStopped } from "@periscope/harness/stop";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { finish, root, type Tally } from "./tally.ts";

// Usage: node readme.ts [--except BLOCK]. Runs every `sh` block of README.md in order, but the given one, with a data directory of its own.
// The block that starts the server leaves it running, as a server without a browser: the curl commands that it prints are run, and its key
// is PERISCOPE_API_KEY for all that follows.

const startsServer = /^npx pnpm@\d+ start\b/;
const tally: Tally = { passed: [], failed: [] };
// When the run is stopped, so is the server that a command has started.
await runUntilStopped(async (signal) => {
  await using own = await temporaryDirectory("periscope-readme-");
  // An error answer is a failure, which curl says only when told to.
  await writeFile(join(own.path, ".curlrc"), "fail-with-body\n");
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CURL_HOME: own.path,
    PERISCOPE_DATA_DIR: join(own.path, "data"),
    PERISCOPE_HEADLESS: "true",
  };
  const blocks = [...(await readFile(join(root, "README.md"), "utf8")).matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) =>
    block.trim(),
  );
  const { except } = parseArgs({ options: { except: { type: "string" } } }).values;
  if (except !== undefined && !blocks.includes(except)) throw new Error(`README.md has no block \`${except}\`.`);
  let server: RunningProgram | undefined;
  await using stack = new AsyncDisposableStack();
  const runBlock = (block: string) => runCommands(block, { cwd: root, env, signal });
  for (const block of blocks) {
    signal.throwIfAborted();
    if (block === except) continue;
    if (!startsServer.test(block)) await attempt(block, () => runBlock(block));
    else {
      const command = ["bash", "-c", `exec ${block}`];
      await attempt(block, async () => void (server = stack.use(await startProgram({ command, cwd: root, env, detached: true, signal }))));
      const printed = server?.output() ?? "";
      env["PERISCOPE_API_KEY"] = /\bpsk_\w+/.exec(printed)?.[0] ?? "";
      for (const curl of printed.match(/^curl .*$/gm) ?? []) await attempt(curl, () => runBlock(curl));
    }
  }
  const running = server;
  if (running !== undefined) await attempt("the server stops", () => stop(running));
  finish("readme", tally);
});

async function attempt(command: string, run: () => Promise<void>): Promise<void> {
  const [line = ""] = hideKeys(command).split("\n");
  const name = line.length <= 120 ? line : `${line.slice(0, 120)}…`;
  const startedAt = performance.now();
  const problem = await run().then(
    () => undefined,
    (error: unknown) => hideKeys(String(error)),
  );
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  tally[problem === undefined ? "passed" : "failed"].push(name);
  console.log(problem === undefined ? `ok    ${name} (${seconds} s)` : `FAIL  ${name} (${seconds} s)\n${problem}`);
}

/** Its first command that fails ends a block. @throws Error with what tells why: lines that name a failure, then the end of the output */
async function runCommands(block: string, options: ProgramOptions): Promise<void> {
  const { code, out, err } = await runProgram(["bash", "-euc", block], options);
  if (code === 0) return;
  const lines = stripVTControlCharacters(out + err)
    .trimEnd()
    .split("\n");
  const failures = lines.slice(0, -60).filter((line) => /\bFAIL\b|Error: /.test(line));
  throw new Error([...failures.slice(0, 40), ...lines.slice(-60), `(exit status ${code})`].join("\n"));
}

/** Ctrl-C ends a package manager with the status of the signal or by it, and the server itself with none. */
async function stop(server: RunningProgram): Promise<void> {
  const status = await server.stop("SIGINT");
  if (status !== 0 && status !== 130 && status !== "SIGINT") throw new Error(`${server.output()}\n(exit status ${status})`);
}

function hideKeys(text: string): string {
  return text.replaceAll(/\bpsk_\w{8,}/g, "psk_…");
}
