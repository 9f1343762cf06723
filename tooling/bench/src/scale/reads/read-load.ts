import type { LoadResult } from "../../load/closed-loop.ts";
import { JobProcess } from "../../load/job-process.ts";
import type { LoadJob } from "../../load/load-job.ts";
import { portOf } from "../../service/workbench.ts";
import type { UserName } from "../plan.ts";
import type { ScaleStore } from "../stores/scale-store.ts";

const secondsMax = 3_600;

/** Milliseconds of requests in the order in which they were answered, and how many were not answered 200. */
export interface Timings {
  latencies: number[];
  failures: number;
  /** From the first request to the last answer. */
  seconds: number;
  /** Processor time of server and database meanwhile, where it is known. */
  processor?: number | undefined;
}

/** The process that asks. */
export class ReadLoad implements AsyncDisposable {
  readonly #process = new JobProcess<LoadJob, LoadResult>(new URL("../../load/load-worker.ts", import.meta.url));
  readonly #signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Asks for each path once, over as many connections as there are clients. */
  async ask(store: ScaleStore, { user, paths, clients }: { user: UserName; paths: readonly string[]; clients: number }): Promise<Timings> {
    const target = { port: portOf(store.server), connections: clients, seconds: secondsMax, requests: paths.length };
    const job: LoadJob = { ...target, key: await store.keyOf(user), plan: { kind: "read", paths } };
    const before = store.processorSeconds();
    const { latencies, seconds, statuses } = await this.#process.run(job, secondsMax, this.#signal);
    const after = store.processorSeconds();
    const processor = before === undefined || after === undefined ? undefined : after - before;
    return { latencies: [...latencies], failures: paths.length - (statuses[200] ?? 0), seconds, processor };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }
}
