import { percentile } from "../../measure/stats.ts";
import type { ReadResult, TogetherResult } from "../scale-results.ts";
import { readKinds, type ReadKind, type ReadSide } from "./kinds.ts";
import type { Question } from "./questions.ts";
import type { Timings } from "./read-load.ts";

/** Turns in which the sides ask, so that what disturbs the machine meets all of them. */
const turns = 4;
const warmUps = 20;
const clientsTogether = 8;
const foundSamples = 15;

/** Somebody who asks: with what, and how. */
export interface Side {
  name: ReadSide;
  questions: Readonly<Record<ReadKind, readonly Question[]>>;
  ask: (questions: readonly Question[], clients: number) => Promise<Timings>;
  /** How many contexts the answer to a search counts; absent where nothing counts. */
  countFound?: (question: Question) => Promise<number>;
  /** Seconds after which a side stops asking questions of a kind. */
  secondsMax: number;
  /** Whether it is measured with several clients at once. */
  together: boolean;
}

/** Questions that have to be there for so many samples, since none of a search is asked twice. */
export function questionsNeeded(samples: number): number {
  return warmUps + 2 * samples;
}

/** Asks every kind of question of every side by turns, one client at a time, after some that do not count; then with several at once. */
export async function measureReads(
  sides: readonly Side[],
  samples: number,
  progress: (text: string) => void,
): Promise<{ reads: ReadResult[]; together: TogetherResult[] }> {
  const reads: ReadResult[] = [];
  const together: TogetherResult[] = [];
  for (const kind of readKinds) {
    const asking = sides
      .filter(({ questions }) => questions[kind].length > 0)
      .map((side) => ({ side, ...partsOf(side.questions[kind], samples), timings: [] as Timings[] }));
    for (const { side, warmUp } of asking) await side.ask(warmUp, 1);
    for (let turn = 0; turn < turns; turn += 1) {
      for (const { side, alone, timings } of turn % 2 === 0 ? asking : asking.toReversed()) {
        timings.push(await askFor(side, partOf(alone, turn), side.secondsMax / turns));
      }
    }
    for (const { side, alone, beside, timings } of asking) {
      const found = await medianFound(side, kind, alone);
      const result = resultOf(timings, { kind, side: side.name, found });
      reads.push(result);
      progress(`${kind}, ${side.name}: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`);
      if (!side.together) continue;
      const timing = await side.ask(beside, clientsTogether);
      const perSecond = timing.latencies.length / timing.seconds;
      together.push({ ...resultOf([timing], { kind, side: side.name }), clients: clientsTogether, perSecond });
    }
  }
  return { reads, together };
}

/** Searches are parted, so that none is asked again; what is always the same question is repeated. */
function partsOf(questions: readonly Question[], samples: number): Record<"warmUp" | "alone" | "beside", Question[]> {
  const isSearch = questions.some(({ floor }) => floor.kind === "search" || floor.kind === "url");
  const cycle = (count: number) =>
    Array.from({ length: count }, (_, index) => questions[index % questions.length]).filter((question) => question !== undefined);
  if (!isSearch) return { warmUp: cycle(warmUps), alone: cycle(samples), beside: cycle(samples) };
  const warm = Math.min(warmUps, Math.floor(questions.length / 4));
  const each = Math.min(samples, Math.floor((questions.length - warm) / 2));
  return {
    warmUp: questions.slice(0, warm),
    alone: questions.slice(warm, warm + each),
    beside: questions.slice(warm + each, warm + 2 * each),
  };
}

function partOf<T>(values: readonly T[], turn: number): T[] {
  return values.slice(Math.floor((values.length * turn) / turns), Math.floor((values.length * (turn + 1)) / turns));
}

/** Asks as many as the time allows, at least one; a side without a bound asks all at once. */
async function askFor(side: Side, questions: readonly Question[], seconds: number): Promise<Timings> {
  if (seconds === Number.POSITIVE_INFINITY) return side.ask(questions, 1);
  const all: Timings = { latencies: [], failures: 0, seconds: 0 };
  for (const question of questions) {
    if (all.seconds >= seconds) break;
    const timing = await side.ask([question], 1);
    all.latencies.push(...timing.latencies);
    all.failures += timing.failures;
    all.seconds += timing.seconds;
  }
  return all;
}

function resultOf(timings: readonly Timings[], about: Pick<ReadResult, "kind" | "side" | "found">): ReadResult {
  const latencies = Float64Array.from(timings.flatMap((timing) => timing.latencies));
  const processor = timings.reduce((sum, timing) => sum + (timing.processor ?? NaN), 0) / latencies.length;
  return {
    ...about,
    samples: latencies.length,
    failures: timings.reduce((sum, { failures }) => sum + failures, 0),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    ...(!Number.isNaN(processor) && { processor: processor * 1_000 }),
  };
}

async function medianFound(side: Side, kind: ReadKind, questions: readonly Question[]): Promise<number | undefined> {
  if (!kind.startsWith("search") || side.countFound === undefined) return undefined;
  const counts: number[] = [];
  for (const question of questions.slice(0, foundSamples)) counts.push(await side.countFound(question));
  return percentile(Float64Array.from(counts), 0.5);
}
