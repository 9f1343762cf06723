import { runContentBenchmark } from "./content.ts";
import { runDataBenchmark } from "./data.ts";
import { runLiveBenchmark } from "./live.ts";
import { runPortalBenchmark } from "./portal.ts";
import { runPrivacyBenchmark } from "./privacy.ts";
import { runRelevanceBenchmark } from "./relevance.ts";
import { runScaleBenchmark } from "./scale.ts";
import { runServiceBenchmark } from "./service.ts";

// Usage: pnpm bench [NAME] [options]. Each benchmark is the file of its name.

const benchmarks: Readonly<Record<string, (args: string[], signal: AbortSignal) => Promise<void>>> = {
  service: runServiceBenchmark,
  scale: runScaleBenchmark,
  relevance: runRelevanceBenchmark,
  privacy: runPrivacyBenchmark,
  live: runLiveBenchmark,
  content: runContentBenchmark,
  data: runDataBenchmark,
  portal: runPortalBenchmark,
};

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => stopping.abort(new Error(`Stopped by ${name}.`)));
// A reader such as `head` may close the output before the end.
process.stdout.on("error", () => stopping.abort(new Error("The output was closed.")));

const args = process.argv.slice(2).filter((argument) => argument !== "--");
const name = args[0]?.startsWith("-") === false ? (args.shift() ?? "") : "service";
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  console.error(`There is no benchmark ${name}. There are: ${Object.keys(benchmarks).join(", ")}.`);
  process.exitCode = 2;
} else {
  try {
    await benchmark(args, stopping.signal);
  } catch (error) {
    const reason: unknown = stopping.signal.aborted ? stopping.signal.reason : error;
    console.error(`\n${reason instanceof Error ? reason.message : String(reason)}`);
    process.exitCode = stopping.signal.aborted ? 130 : 1;
  }
}
