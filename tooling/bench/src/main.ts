import { benchmarks, defaultBenchmark } from "./benchmarks.ts";

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => stopping.abort(new Error(`Stopped by ${signal}.`)));
// A reader such as `head` may have enough before the end.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => stopping.abort(new Error("The output was closed.")));

// A script runner may pass its own `--` on.
const given = process.argv.slice(2).filter((argument) => argument !== "--");
const named = given[0] !== undefined && !given[0].startsWith("-");
const name = named ? (given[0] ?? "") : defaultBenchmark;
const benchmark = benchmarks[name];

if (benchmark === undefined) {
  process.stderr.write(`There is no benchmark ${name}; there are: ${Object.keys(benchmarks).join(", ")}.\n`);
  process.exitCode = 2;
} else {
  try {
    await benchmark({ args: given.slice(named ? 1 : 0), signal: stopping.signal, print: (text) => process.stdout.write(`${text}\n`) });
  } catch (error) {
    // A signal reaches the server as well, and what fails then is not the reason.
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    process.stderr.write(`\n${reason instanceof Error ? reason.message : String(reason)}\n`);
    process.exitCode = stopping.signal.aborted ? 130 : 1;
  }
}
