import type { LoadResult } from "../../load/closed-loop.ts";
import { JobProcess } from "../../load/job-process.ts";
import { portOf } from "../../service/workbench.ts";
import type { Plan } from "../plan.ts";
import type { ScaleStore } from "../stores/scale-store.ts";
import type { IngestJob } from "./ingest-worker.ts";

const connections = 4;
const secondsMax = 3_600;
const attemptsMax = 3;

/** Batches of the plan that go into a store. */
export interface IngestWork {
  store: ScaleStore;
  plan: Plan;
  batches: readonly number[];
}

/** The process that writes pages and sends them. */
export class Ingester implements AsyncDisposable {
  readonly #process = new JobProcess<IngestJob, LoadResult>(new URL("ingest-worker.ts", import.meta.url));
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * Sends batches over several connections and returns the seconds that it took. A batch that was sent before changes nothing.
   * @throws Error when one is refused again and again
   */
  async send({ store, plan, batches }: IngestWork): Promise<number> {
    const { batchSize } = plan;
    const keyed = [];
    for (const batch of batches) {
      const { user, document } = plan.batch(batch);
      keyed.push({ key: await store.keyOf(user), first: batch * batchSize, document });
    }
    const job = { batches: keyed, batchSize, epoch: store.epoch, port: portOf(store.server), connections, seconds: secondsMax };
    for (let attempt = 1; ; attempt += 1) {
      const { seconds, statuses } = await this.#process.run(job, secondsMax, this.#signal);
      if (statuses[207] === batches.length) return seconds;
      if (attempt === attemptsMax) throw new Error(`Of ${batches.length} batches were answered: ${JSON.stringify(statuses)}.`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
