import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "@periscope/harness/program";
import type { RunningServer as Periscope } from "@periscope/harness/server";
import type { LoadResult, LoadTarget } from "../load/closed-loop.ts";
import { JobProcess } from "../load/job-process.ts";
import type { LoadJob, ReadPlan, WritePlan } from "../load/load-job.ts";
import { sampleOf, type Sample } from "../measure/rounds.ts";
import { copyDatabase } from "./copy-database.ts";
import { createFloorIndex } from "./floor-index.ts";
import type { InsertJob } from "./insert-floor.ts";

/** The oldest visit of the bench: far enough back that no context is of the future. Milliseconds. */
const pastMs = 30 * 86_400_000;
/** What a job may take longer than asked: reading the documents, the last answer. Seconds. */
const graceSeconds = 60;

const floorScript = fileURLToPath(new URL("floor-server.ts", import.meta.url));

/** The load process and what it is aimed at. Messages are numbered through, so that none is a replay. */
export class Workbench implements AsyncDisposable {
  readonly #load = new JobProcess<LoadJob, LoadResult>(new URL("../load/load-worker.ts", import.meta.url));
  readonly #epoch = Date.now() - pastMs;
  readonly #signal: AbortSignal;
  #messages = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** GET requests for `seconds`. @throws Error when an answer is not 200 */
  async read(target: LoadTarget & { key: string }, paths: readonly string[]): Promise<Sample> {
    return sampleOf(await this.#run({ ...target, plan: { kind: "read", paths } }, 200));
  }

  /** Creates contexts, `perRequest` a request. @throws Error when a request, or a context, was not accepted */
  async write(server: Periscope, target: Omit<LoadTarget, "port">, perRequest: number): Promise<Sample> {
    const port = portOf(server);
    const before = await countOf(server);
    const plan: WritePlan = {
      kind: "write",
      path: perRequest === 1 ? "/api/v1/context/sync" : "/api/v1/context/batch-sync",
      perRequest,
      first: this.#messages,
      epoch: this.#epoch,
    };
    const result = await this.#run({ ...target, port, key: server.key, plan }, perRequest === 1 ? 201 : 207);
    // A request that was made up but no longer sent has used its numbers too.
    this.#messages += (result.requests + target.connections) * perRequest;
    const stored = (await countOf(server)) - before;
    if (stored !== result.requests * perRequest) {
      throw new Error(`Of ${result.requests * perRequest} contexts that the server accepted it has ${stored}.`);
    }
    return sampleOf(result, perRequest);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#load[Symbol.asyncDispose]();
  }

  async #run(job: LoadTarget & { key: string; plan: ReadPlan | WritePlan }, wanted: number): Promise<LoadResult> {
    const result = await this.#load.run(job, job.seconds + graceSeconds, this.#signal);
    const others = Object.entries(result.statuses).filter(([status]) => Number(status) !== wanted);
    if (others.length === 0 && result.requests > 0) return result;
    throw new Error(`The load wanted answers ${wanted}, and got ${JSON.stringify(result.statuses)}.`);
  }
}

/** Port that the server listens on. */
export function portOf({ baseUrl }: Pick<Periscope, "baseUrl">): number {
  return Number(new URL(baseUrl).port);
}

/** Number of contexts of the server's only user. */
export async function countOf({ baseUrl, key }: Periscope): Promise<number> {
  const response = await fetch(`${baseUrl}/context/history?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  const { total } = (await response.json()) as { total?: number };
  if (total === undefined) throw new Error(`History answered ${response.status}.`);
  return total;
}

/** The floor over a copy of the server's database: one process that serves reads, one that inserts. */
export class Floor implements AsyncDisposable {
  readonly baseUrl: string;
  readonly #disposer: AsyncDisposableStack;
  readonly #inserts: JobProcess<InsertJob, LoadResult>;
  readonly #signal: AbortSignal;

  private constructor(parts: {
    baseUrl: string;
    disposer: AsyncDisposableStack;
    inserts: JobProcess<InsertJob, LoadResult>;
    signal: AbortSignal;
  }) {
    this.baseUrl = parts.baseUrl;
    this.#disposer = parts.disposer;
    this.#inserts = parts.inserts;
    this.#signal = parts.signal;
  }

  static async start(server: Periscope, { dataDir, signal }: { dataDir: string; signal: AbortSignal }): Promise<Floor> {
    const file = join(dataDir, "floor.db");
    await copyDatabase(dataDir, file);
    createFloorIndex(file);
    await using disposer = new AsyncDisposableStack();
    const args = [floorScript, file, server.userId];
    const { address } = disposer.use(await startProgram({ name: "The floor", args, signal }));
    const inserts = disposer.use(new JobProcess<InsertJob, LoadResult>(new URL("insert-floor.ts", import.meta.url), [file]));
    return new Floor({ baseUrl: address, disposer: disposer.move(), inserts, signal });
  }

  /** Inserts for `seconds`, `perTransaction` contexts a transaction. */
  async insert(seconds: number, perTransaction: number): Promise<Sample> {
    return sampleOf(await this.#inserts.run({ seconds, perTransaction }, seconds + graceSeconds, this.#signal), perTransaction);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#disposer.disposeAsync();
  }
}
