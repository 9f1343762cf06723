import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** A process that does one job at a time, so that what it measures shares no event loop with anything else. */
export class JobProcess<Job, Result> implements AsyncDisposable {
  readonly #child: ChildProcess;

  /** @param script module that calls `serveJobs` */
  constructor(script: URL, args: readonly string[] = []) {
    const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
    // Without the flags of this process: those of a test runner would have it read packages as source, which Node alone cannot.
    this.#child = fork(script, args, { serialization: "advanced", stdio: [...stdio], env: {}, execArgv: [] });
  }

  /**
   * Runs a job.
   * @param secondsMax after which the job counts as hung
   * @throws Error when the job failed, its process ended, or it hung; the abort reason when aborted
   */
  async run(job: Job, secondsMax: number, signal?: AbortSignal): Promise<Result> {
    const ends = new AbortController();
    const reasons = [AbortSignal.timeout(secondsMax * 1_000), ends.signal, ...(signal === undefined ? [] : [signal])];
    const options = { signal: AbortSignal.any(reasons) };
    try {
      const reply = once(this.#child, "message", options);
      const exit = once(this.#child, "exit", options).then(() => {
        throw new Error("The process of the job ended.");
      });
      this.#child.send({ job });
      const [message] = (await Promise.race([reply, exit])) as [{ result: Result } | { error: string }];
      if ("error" in message) throw new Error(message.error);
      return message.result;
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      ends.abort();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
  }
}

/** The other end: answers each job of the parent with what `work` makes of it. */
export function serveJobs(work: (job: never) => unknown): void {
  process.on("message", (message: { job: never }) => {
    void answer(work, message.job);
  });
  // Without its parent there is nobody to work for.
  process.on("disconnect", () => process.exit(0));
}

async function answer(work: (job: never) => unknown, job: never): Promise<void> {
  try {
    process.send?.({ result: await work(job) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
