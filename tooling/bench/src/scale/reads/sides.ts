import type { ScaleDocuments } from "../documents/scale-documents.ts";
import type { Plan, UserName } from "../plan.ts";
import type { ScaleStore } from "../stores/scale-store.ts";
import type { ReadSide } from "./kinds.ts";
import { questionsNeeded, type Side } from "./measure-reads.ts";
import { questionsOf, type Question } from "./questions.ts";
import type { ReadLoad, Timings } from "./read-load.ts";
import { searchQueries, type SearchQueries } from "./search-queries.ts";
import { countWords } from "./word-counts.ts";

/** Documents of a user whose words are counted, taken evenly from all. */
const countedMax = 5_000;
const seed = 20_261_122;

/** What the sides of one size are made of. */
export interface SidesInput {
  store: ScaleStore;
  /** A store with the light user's contexts and nothing else. */
  alone: ScaleStore;
  plan: Plan;
  documents: ScaleDocuments;
  /** Batches in the store. */
  batches: number;
  light: UserName;
  load: ReadLoad;
  samples: number;
  secondsMax: number;
}

/** Both users, the light one alone, and raw SQL for both users. */
export async function sidesOf(input: SidesInput): Promise<Side[]> {
  const { store, alone, light, load, secondsMax } = input;
  const [heavyQueries, lightQueries] = (["heavy", light] as const).map((user) => queriesOf(input, user));
  if (heavyQueries === undefined || lightQueries === undefined) throw new Error("There are two users.");
  const service = async (name: ReadSide, at: ScaleStore, user: UserName, queries: SearchQueries): Promise<Side> => ({
    name,
    questions: await questionsOf({ ...input, store: at, user }, queries),
    ask: (questions, clients) => load.ask(at, { user, paths: questions.map(({ path }) => path), clients }),
    countFound: (question) => countFound(at, user, question),
    secondsMax: Number.POSITIVE_INFINITY,
    together: at === store,
  });
  const heavySide = await service("heavy", store, "heavy", heavyQueries);
  const lightSide = await service("light", store, light, lightQueries);
  const floor = (name: ReadSide, user: UserName, { questions }: Side): Side => ({
    name,
    questions,
    ask: (asked) => askFloor(store, user, asked),
    secondsMax,
    together: false,
  });
  return [
    heavySide,
    lightSide,
    await service("light alone", alone, light, lightQueries),
    floor("floor heavy", "heavy", heavySide),
    floor("floor light", light, lightSide),
  ];
}

function queriesOf({ plan, documents, batches, samples }: SidesInput, user: UserName): SearchQueries {
  const numbers = plan.batchesBy(user, batches).flatMap((batch) => {
    const { document } = plan.batch(batch);
    return Array.from({ length: plan.batchSize }, (_, index) => document + index);
  });
  const step = Math.max(1, numbers.length / countedMax);
  const counted = Array.from({ length: Math.min(countedMax, numbers.length) }, (_, index) => numbers[Math.floor(index * step)] ?? 0);
  return searchQueries(countWords(counted.map((number) => documents.document(number))), questionsNeeded(samples), seed);
}

async function askFloor({ floor }: ScaleStore, user: UserName, questions: readonly Question[]): Promise<Timings> {
  const latencies: number[] = [];
  const started = performance.now();
  for (const question of questions) {
    const asked = performance.now();
    await floor.ask(user, question.floor);
    latencies.push(performance.now() - asked);
  }
  return { latencies, failures: 0, seconds: (performance.now() - started) / 1_000 };
}

async function countFound(store: ScaleStore, user: UserName, { path }: Question): Promise<number> {
  const headers = { authorization: `Bearer ${await store.keyOf(user)}` };
  const response = await fetch(new URL(path, store.server.baseUrl), { headers });
  return ((await response.json()) as { total?: number }).total ?? NaN;
}
