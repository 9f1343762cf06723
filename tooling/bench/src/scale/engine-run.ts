import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ScaleDocuments } from "./documents/scale-documents.ts";
import { growTo } from "./ingest/grow.ts";
import { Ingester } from "./ingest/ingester.ts";
import type { EngineName, ScaleOptions } from "./options.ts";
import { Plan, type UserName } from "./plan.ts";
import { type Progress, readProgress, writeProgress } from "./progress.ts";
import { measureReads } from "./reads/measure-reads.ts";
import { ReadLoad } from "./reads/read-load.ts";
import { sidesOf } from "./reads/sides.ts";
import type { EngineResult, SizeResult } from "./scale-results.ts";
import { openStore } from "./stores/open-store.ts";
import type { ScaleStore } from "./stores/scale-store.ts";

/** What the run of one engine needs. */
export interface EngineRunInput {
  engine: EngineName;
  options: ScaleOptions;
  documents: ScaleDocuments;
  digest: string;
  /** Where stores and progress are. */
  directory: string;
  signal: AbortSignal;
  note: (text: string) => void;
  /** Called with what has been measured so far, after each size. */
  onResult: (result: EngineResult) => void;
}

/** The parts of a run that is under way. */
interface Running extends EngineRunInput {
  plan: Plan;
  progress: Progress;
  save: () => void;
  ingester: Ingester;
  load: ReadLoad;
}

/** Grows a store of this engine through all sizes and measures it at each. Goes on where a run in the same directory was cut. */
export async function runEngine(input: EngineRunInput): Promise<void> {
  const { engine, options, digest, signal, onResult } = input;
  const directory = join(input.directory, engine);
  mkdirSync(directory, { recursive: true });
  // A database server that runs as somebody else must be able to pass.
  for (const passed of [input.directory, directory]) chmodSync(passed, 0o711);
  const file = join(directory, "progress.json");
  const progress = readProgress(file, { engine, sizes: options.sizes, digest });
  const save = () => writeProgress(file, progress);
  save();
  if (progress.results.length === options.sizes.length) return onResult({ engine, database: progress.database, sizes: progress.results });

  await using disposer = new AsyncDisposableStack();
  const ingester = disposer.use(new Ingester(signal));
  const load = disposer.use(new ReadLoad(signal));
  const { epoch } = progress;
  const place = { directory: join(directory, "store"), epoch, keys: progress.keys, signal };
  const places = [place, { ...place, directory: join(directory, "alone"), keys: progress.aloneKeys }];
  // Both are waited for, so that what one has started is stopped when the other fails.
  const [opened, openedAlone] = await Promise.allSettled(places.map(async (one) => disposer.use(await openStore(engine, one))));
  const [store, alone] = [valueOf(opened), valueOf(openedAlone)];
  progress.database = store.database;
  const running: Running = { ...input, plan: new Plan(options.sizes), progress, save, ingester, load };
  await fillAlone(running, alone);
  for (const [index, size] of options.sizes.entries()) {
    if (progress.results.some(({ contexts }) => contexts === size)) continue;
    progress.results.push(await measureSize(running, { store, alone, size, light: `light-${index}` }));
    save();
    onResult({ engine, database: store.database, sizes: progress.results });
  }
}

function valueOf<T>(settled: PromiseSettledResult<T> | undefined): T {
  if (settled?.status === "fulfilled") return settled.value;
  throw settled?.reason;
}

/** Gives the light user's own store the same contexts as it has among others. */
async function fillAlone({ plan, progress, save, ingester }: Running, alone: ScaleStore): Promise<void> {
  if (progress.aloneFilled) return;
  const all = plan.batchesOf(plan.sizes.at(-1) ?? 0);
  for (const [index] of plan.sizes.entries()) await ingester.send({ store: alone, plan, batches: plan.batchesBy(`light-${index}`, all) });
  await alone.settle();
  progress.aloneFilled = true;
  save();
}

async function measureSize(
  running: Running,
  { store, alone, size, light }: { store: ScaleStore; alone: ScaleStore; size: number; light: UserName },
): Promise<SizeResult> {
  const { plan, engine, documents, options, load } = running;
  const note = (text: string) => running.note(`${engine} ${size.toLocaleString("en-US")}: ${text}`);
  const turns = await growTo({ ...running, store, size, note });
  const count = await store.count();
  if (count !== size) throw new Error(`The store should have ${size} contexts and has ${count}.`);
  const started = performance.now();
  const settled = await store.settle();
  const settleSeconds = (performance.now() - started) / 1_000;
  const memoryBefore = store.memory();
  note("asking");
  const batches = plan.batchesOf(size);
  const { samples, secondsMax } = options;
  const sides = await sidesOf({ store, alone, plan, documents, batches, light, load, samples, secondsMax });
  const { reads, together } = await measureReads(sides, samples, note);
  return {
    contexts: size,
    users: plan.usersIn(batches).length,
    ingest: turns,
    settled,
    settleSeconds,
    bytes: await store.bytes(),
    memoryBefore,
    memoryAfter: store.memory(),
    reads,
    together,
  };
}
