import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runDemo } from "./demo.ts";

const usage =
  "Usage: pnpm demo [-- DIR]\n\nDIR is a folder of HTML or Markdown pages; by default the documentation of the installed packages.\n";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}.`)));
// A reader such as `head` may have enough before the end.
process.stdout.on("error", () => stopping.abort(new Error("The output was closed.")));

try {
  // A script runner may pass its own `--` on.
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== "--"),
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h" } },
  });
  if (values.help === true || positionals.length > 1) {
    process.stderr.write(usage);
    process.exitCode = values.help === true ? 0 : 2;
  } else {
    const [folder] = positionals;
    // pnpm runs scripts in their package; a relative folder is meant from where the command was given.
    const start = process.env["INIT_CWD"] ?? process.cwd();
    const failed = await runDemo({
      folder: folder === undefined ? undefined : resolve(start, folder),
      output: process.stdout,
      signal: stopping.signal,
    });
    process.exitCode = failed === 0 ? 0 : 1;
  }
} catch (error) {
  // A signal reaches the server as well, and what fails then is not the reason.
  const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
  process.stderr.write(`\n${reason instanceof Error ? reason.message : String(reason)}\n`);
  process.exitCode = stopping.signal.aborted ? 130 : 1;
}
