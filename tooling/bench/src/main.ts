import { runUntilStopped } from "@periscope/harness/stop";
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

const args = process.argv.slice(2).filter((argument) => argument !== "--");
const name = args[0]?.startsWith("-") === false ? (args.shift() ?? "") : "service";
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  console.error(`There is no benchmark ${name}. There are: ${Object.keys(benchmarks).join(", ")}.`);
  process.exitCode = 2;
} else {
  await runUntilStopped((signal) => benchmark(args, signal));
}
