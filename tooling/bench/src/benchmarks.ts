import { runClientBenchmark } from "./client/client-benchmark.ts";
import { runContentBenchmark } from "./content/content-benchmark.ts";
import { runPrivacyBenchmark } from "./privacy/privacy-benchmark.ts";
import { runRelevanceBenchmark } from "./relevance/relevance-benchmark.ts";
import { runScaleBenchmark } from "./scale/scale-benchmark.ts";
import { runServiceBenchmark } from "./service/service-benchmark.ts";
import { runSyncBenchmark } from "./sync/sync-benchmark.ts";

/** What every benchmark is given. */
export interface BenchmarkInput {
  /** Arguments behind the benchmark's name. */
  args: readonly string[];
  signal: AbortSignal;
  print: (text: string) => void;
}

export type Benchmark = (input: BenchmarkInput) => Promise<void>;

/** The benchmark of `pnpm bench` without a name. */
export const defaultBenchmark = "service";

/** Every benchmark by the name that `pnpm bench NAME` takes. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  service: runServiceBenchmark,
  privacy: runPrivacyBenchmark,
  relevance: runRelevanceBenchmark,
  client: runClientBenchmark,
  content: runContentBenchmark,
  scale: runScaleBenchmark,
  sync: runSyncBenchmark,
};
