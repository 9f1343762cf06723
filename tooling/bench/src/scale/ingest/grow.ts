import type { Plan } from "../plan.ts";
import type { Progress } from "../progress.ts";
import type { IngestTurn } from "../scale-results.ts";
import type { NumberRange, ScaleStore } from "../stores/scale-store.ts";
import type { Ingester } from "./ingester.ts";

const turnCount = 4;
/** Batches of a turn that counts, and those that are sent together before that. */
const turnBatchesMax = 25;
const bulkBatches = 50;
/** Part of a size over which writes are measured, where that is less than full turns. */
const measuredPart = 0.4;

/** What a store needs to grow. */
export interface GrowInput {
  store: ScaleStore;
  plan: Plan;
  progress: Progress;
  save: () => void;
  ingester: Ingester;
  /** Contexts that it grows to. */
  size: number;
  note: (text: string) => void;
}

/**
 * Grows a store to a size. Over the last part service and floor take turns with the same rows; what came before the floor gets from
 * the server's tables.
 */
export async function growTo(input: GrowInput): Promise<IngestTurn[]> {
  const { store, plan, progress, save, ingester, size, note } = input;
  const end = plan.batchesOf(size);
  const perTurn = Math.max(1, Math.min(turnBatchesMax, Math.floor((end * measuredPart) / turnCount)));
  const bulkEnd = end - turnCount * perTurn;
  const turns = (progress.turns[size] ??= []);
  while (progress.batches < bulkEnd) {
    const batches = range(progress.batches, Math.min(progress.batches + bulkBatches, bulkEnd));
    const seconds = await ingester.send({ store, plan, batches });
    progress.batches += batches.length;
    save();
    note(
      `${(progress.batches * plan.batchSize).toLocaleString("en-US")} contexts, ${Math.round((batches.length * plan.batchSize) / seconds)}/s`,
    );
  }
  while (progress.batches < end) {
    const from = progress.batches;
    const contexts = perTurn * plan.batchSize;
    const batches = range(from, from + perTurn);
    const filled = (number: number) => note(`floor filled to ${number.toLocaleString("en-US")}`);
    await store.floor.fill(from * plan.batchSize, filled);
    // A turn that was cut has left some of its contexts, and does not count.
    const isWhole = (await store.count()) === from * plan.batchSize;
    const before = store.processorSeconds();
    const server = await ingester.send({ store, plan, batches });
    const after = store.processorSeconds();
    if (isWhole) {
      const floor = await store.floor.insert(batches.map((batch) => rangeOf(plan, batch)));
      const serverProcessor = before === undefined || after === undefined ? undefined : after - before;
      turns.push({ contexts, server, serverProcessor, floorRows: floor.rows, floorIndex: floor.index });
    } else {
      await store.floor.fill((from + perTurn) * plan.batchSize, filled);
    }
    progress.batches = from + perTurn;
    save();
    note(`${isWhole ? "turn" : "cut turn"} of writes: ${Math.round(contexts / server)}/s`);
  }
  return turns;
}

function rangeOf(plan: Plan, batch: number): NumberRange {
  return { user: plan.batch(batch).user, first: batch * plan.batchSize, end: (batch + 1) * plan.batchSize };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
