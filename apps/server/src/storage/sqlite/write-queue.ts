import { setTimeout as pause } from "node:timers/promises";
import { unavailable } from "../../domain-error.js";
import { Prisma, type PrismaClient } from "../generated/sqlite/client.js";
import { busyTimeoutMs } from "./pragmas.js";

export type Transaction = Prisma.TransactionClient;
export type Work<T> = (transaction: Transaction) => Promise<T>;

interface Job {
  work: Work<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

// Enough to share one flush to disk among the requests of a busy moment, and little enough to keep the first from waiting.
const groupMax = 32;
const lockRetryMs = 10;
const transactionOptions = { maxWait: 60_000, timeout: 600_000 };

/**
 * SQLite has one writer: jobs queue here, and those that wait together share one transaction, so that they share one flush
 * to disk (group commit). A promise resolves once its work is durable. When a group fails, its jobs run again one by one,
 * so that only the job at fault is refused.
 *
 * While another process has the database locked, all jobs wait, each at most {@link busyTimeoutMs} and then refused with
 * `unavailable`. SQLite's own waiting would hold up the whole process, so the connection's must be 0.
 */
export class WriteQueue {
  readonly #jobs: Job[] = [];
  #draining: Promise<void> | undefined;

  constructor(private readonly prisma: PrismaClient) {}

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when nothing is queued or under way. */
  async idle(): Promise<void> {
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#jobs.length > 0) {
      // A transaction leaves no turn to other events: what has arrived meanwhile is read now, and belongs to the next group.
      await new Promise(setImmediate);
      await this.#runGroup(this.#jobs.splice(0, groupMax));
    }
    this.#draining = undefined;
  }

  async #runGroup(jobs: readonly Job[]): Promise<void> {
    try {
      const values = await this.#transact(jobs);
      jobs.forEach((job, index) => job.resolve(values[index]));
    } catch (error) {
      if (isLocked(error)) for (const job of [...jobs, ...this.#jobs.splice(0)]) job.reject(locked(error));
      else if (jobs.length === 1) jobs[0]?.reject(error);
      else for (const job of jobs) await this.#runGroup([job]);
    }
  }

  async #transact(jobs: readonly Job[]): Promise<unknown[]> {
    for (const until = performance.now() + busyTimeoutMs; ; await pause(lockRetryMs)) {
      try {
        return await this.#attempt(jobs);
      } catch (error) {
        if (!isLocked(error) || performance.now() > until) throw error;
      }
    }
  }

  #attempt(jobs: readonly Job[]): Promise<unknown[]> {
    return this.prisma.$transaction(async (transaction) => {
      // BEGIN is deferred; a write at once takes the lock, where a read first could find its snapshot outdated by another process.
      await transaction.$executeRaw`DELETE FROM users WHERE 0`;
      const values: unknown[] = [];
      for (const { work } of jobs) values.push(await work(transaction));
      return values;
    }, transactionOptions);
  }
}

const locked = (cause: unknown) => unavailable("Another program keeps the database locked; try again in a moment.", 1, cause);

function isLocked(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: { cause?: { kind?: string } } };
  // What the adapter makes of SQLITE_BUSY.
  return error.code === "P1008" || driverAdapterError?.cause?.kind === "SocketTimeout";
}
