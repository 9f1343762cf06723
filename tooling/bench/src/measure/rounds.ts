import type { LoadResult } from "../load/closed-loop.ts";
import { median, percentile } from "./stats.ts";

/** One measurement of one side. Latencies are milliseconds a request, or a transaction for the floor of writes. */
export interface Sample {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Work that is done by the server and, as far as it cannot be spared, by its floor. */
export interface Scenario {
  name: string;
  unit: "requests/s" | "contexts/s";
  /** Share of the floor that is aimed at. */
  aim?: number;
  server: (seconds: number) => Promise<Sample>;
  floor: (seconds: number) => Promise<Sample>;
}

export interface Round {
  server: Sample;
  floor: Sample;
  ratio: number;
}

export interface ScenarioResult {
  name: string;
  unit: string;
  aim?: number;
  /** Medians over the rounds; `ratio` is the median of the rounds' ratios. */
  server: Sample;
  floor: Sample;
  ratio: number;
  rounds: Round[];
}

/**
 * Measures server and floor by turns, so that what disturbs the machine meets both; the side that begins changes each round.
 * A short run of each comes first and does not count.
 */
export async function measure(scenario: Scenario, { rounds, seconds }: { rounds: number; seconds: number }): Promise<ScenarioResult> {
  const warmUp = Math.min(1, seconds);
  await scenario.floor(warmUp);
  await scenario.server(warmUp);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await oneRound(scenario, seconds, round % 2 === 0));
  const { name, unit, aim } = scenario;
  return {
    name,
    unit,
    ...(aim !== undefined && { aim }),
    server: medianOf(measured.map(({ server }) => server)),
    floor: medianOf(measured.map(({ floor }) => floor)),
    ratio: median(measured.map(({ ratio }) => ratio)),
    rounds: measured,
  };
}

async function oneRound(scenario: Scenario, seconds: number, serverFirst: boolean): Promise<Round> {
  const early = serverFirst ? await scenario.server(seconds) : undefined;
  const floor = await scenario.floor(seconds);
  const server = early ?? (await scenario.server(seconds));
  return { server, floor, ratio: server.perSecond / floor.perSecond };
}

function medianOf(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample) => median(samples.map((sample) => sample[field]));
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}

/** The figures of a load of which each request counts as `weight`. */
export function sampleOf({ requests, seconds, latencies }: LoadResult, weight = 1): Sample {
  return { perSecond: (requests * weight) / seconds, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) };
}
