import { Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.js";

export type TaskTypes = Record<string, { input: unknown; output: unknown }>;

export interface TaskOptions {
  userId: string;
  /** Processor time after which the task is ended, in milliseconds. */
  cpuMsMax: number;
}

/** The task used up its processor time. */
export class TaskTimeout extends Error {
  override readonly name = "TaskTimeout";
}

/** The thread ended or could not start. */
export class WorkerLost extends Error {
  override readonly name = "WorkerLost";
}

/** What a thread says: at its start that it is ready; then that the code of its task is loaded, and what came of the task. */
export type WorkerMessage =
  | "ready"
  | { startedCpuMs: number | undefined }
  | { output: unknown }
  | { error: Error; kept: { name: string; code?: unknown } };

interface Task {
  name: string;
  input: unknown;
  cpuMsMax: number;
  resolve: (output: unknown) => void;
  reject: (error: unknown) => void;
}

interface Thread {
  worker: Worker;
  /** Settled when it has loaded what it was started with, or has ended. */
  ready: PromiseWithResolvers<void>;
  task: Task | undefined;
  /** When the task's code was loaded: the clock, and the processor time of the thread so far. */
  started: { at: number; cpuMs: number | undefined } | undefined;
  isBeingMeasured: boolean;
  rest: NodeJS.Timeout | undefined;
}

/** Where the code of a thread is: beside the bundle, or, when this runs from its source, one folder up. */
const workerUrl = new URL(import.meta.url.endsWith(".ts") ? "../worker.ts" : "./worker.js", import.meta.url);

/** Room for a task on a page of 1 MiB. A thread that needs more ends with an error, and the process lives on. */
const resourceLimits = { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 512 };
const restMs = 30_000;
const checkEveryMs = 100;

/** Worker threads for work that takes processor time: filtering and analysing captures, and searching the embedded database. */
export class WorkerPool<Tasks extends TaskTypes> implements AsyncDisposable {
  readonly #threads = new Set<Thread>();
  readonly #queue: FairQueue;
  readonly #threadless: Task[] = [];
  /** Tasks that were run so far: a new thread loads their code before it is needed. */
  readonly #names: Set<string>;
  #checks: NodeJS.Timeout | undefined;
  #isClosed = false;

  /**
   * Starts one thread. Others start when they are needed, and end after 30 seconds without a task.
   * @param threadsMax at least 2, so that one user never has them all
   * @param names of tasks whose code the first thread loads as it starts
   */
  constructor(threadsMax: number, names: Iterable<keyof Tasks & string> = []) {
    this.#queue = new FairQueue(threadsMax);
    this.#names = new Set(names);
    this.#start();
  }

  /**
   * Runs a task on a thread. Input and output are structured clones. Rejects with {@link TaskTimeout} when the task used more than
   * `cpuMsMax` of processor time (its thread is ended), with {@link WorkerLost} when the thread ended for another reason, and with
   * `unavailable` when too many tasks of the user wait: {@link FairQueue} says whose turn it is. Errors that the task throws arrive with
   * their name, message and `code`.
   */
  run<Name extends keyof Tasks & string>(
    name: Name,
    input: Tasks[Name]["input"],
    { userId, cpuMsMax }: TaskOptions,
  ): Promise<Tasks[Name]["output"]> {
    return this.#queue.run(userId, () => new Promise((resolve, reject) => this.#assign({ name, input, cpuMsMax, resolve, reject })));
  }

  /** Resolves when the threads that have been started have loaded their code, or have ended. */
  async ready(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.ready.promise));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checks);
    this.#queue.rejectWaiting(closed());
    await Promise.all([...this.#threads].map((thread) => this.#end(thread, closed())));
  }

  /** Gives a task whose turn it is to a free thread, or to a new one: there are as many as tasks run at once. */
  #assign(task: Task): void {
    if (this.#isClosed) return task.reject(closed());
    try {
      this.#give([...this.#threads].find((thread) => thread.task === undefined) ?? this.#start(), task);
    } catch (cause) {
      // The system has no thread left; with others at work, the task waits for one of them.
      if (this.#threads.size > 0) this.#threadless.push(task);
      else task.reject(new WorkerLost("No thread could be started.", { cause }));
    }
  }

  #start(): Thread {
    const worker = new Worker(workerUrl, { name: "periscope-worker", resourceLimits, workerData: [...this.#names] });
    // A thread without a task keeps no process alive.
    worker.unref();
    const ready = Promise.withResolvers<void>();
    const thread: Thread = { worker, ready, task: undefined, started: undefined, isBeingMeasured: false, rest: undefined };
    this.#threads.add(thread);
    worker.on("message", (message: WorkerMessage) => this.#receive(thread, message));
    worker.on("error", (cause) => void this.#end(thread, new WorkerLost(`The thread failed: ${cause.message}`, { cause })));
    worker.on("exit", () => void this.#end(thread, new WorkerLost("The thread ended.")));
    this.#rest(thread);
    return thread;
  }

  async #startAnother(): Promise<void> {
    try {
      if (!this.#isClosed) await this.#start().ready.promise;
    } catch {
      // The system has no thread left; the next task tries again.
    }
  }

  #give(thread: Thread, task: Task): void {
    clearTimeout(thread.rest);
    this.#names.add(task.name);
    thread.task = task;
    thread.started = undefined;
    thread.worker.ref();
    this.#checks ??= setInterval(() => this.#checkAll(), checkEveryMs).unref();
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window and has no origin
      thread.worker.postMessage({ name: task.name, input: task.input });
    } catch (error) {
      this.#finish(thread);
      task.reject(error);
    }
  }

  #receive(thread: Thread, message: WorkerMessage): void {
    if (message === "ready") return thread.ready.resolve();
    if ("startedCpuMs" in message) {
      thread.started = { at: performance.now(), cpuMs: message.startedCpuMs };
      return;
    }
    const task = this.#finish(thread);
    if ("error" in message) task?.reject(Object.assign(message.error, message.kept));
    else task?.resolve(message.output);
  }

  #finish(thread: Thread): Task | undefined {
    const { task } = thread;
    if (!task) return undefined;
    thread.task = undefined;
    if (this.#threads.has(thread)) this.#rest(thread);
    if ([...this.#threads].every((other) => other.task === undefined)) {
      clearInterval(this.#checks);
      this.#checks = undefined;
    }
    const next = this.#threadless.shift();
    if (next) this.#assign(next);
    return task;
  }

  #rest(thread: Thread): void {
    thread.worker.unref();
    // One stays, so that a request after a quiet time need not wait for a thread to start.
    const end = () => void (this.#threads.size > 1 && this.#end(thread, new WorkerLost("The thread ended.")));
    thread.rest = setTimeout(end, restMs).unref();
  }

  /** Ends a thread; the task that it has is rejected with `reason`. */
  async #end(thread: Thread, reason: Error): Promise<void> {
    if (!this.#threads.delete(thread)) return;
    thread.ready.resolve();
    clearTimeout(thread.rest);
    const task = this.#finish(thread);
    const ended = thread.worker.terminate();
    // Whoever had a thread ended waits for its successor: others would have one fewer meanwhile.
    if (reason instanceof TaskTimeout) await this.#startAnother();
    task?.reject(reason);
    await ended;
  }

  #checkAll(): void {
    for (const thread of this.#threads) void this.#check(thread);
  }

  async #check(thread: Thread): Promise<void> {
    const { task, started, worker } = thread;
    if (!task || !started || thread.isBeingMeasured) return;
    thread.isBeingMeasured = true;
    const usedMs = await cpuMsSince(worker, started);
    thread.isBeingMeasured = false;
    if (thread.task !== task || usedMs <= task.cpuMsMax) return;
    await this.#end(thread, new TaskTimeout(`The task ${task.name} used more than ${task.cpuMsMax} ms of processor time.`));
  }
}

/** Processor time of a task; the time that passed where this Node does not tell. */
async function cpuMsSince(worker: Worker, started: NonNullable<Thread["started"]>): Promise<number> {
  const passed = performance.now() - started.at;
  // Node 24.6 is the first to have it.
  if (started.cpuMs === undefined || !("cpuUsage" in worker)) return passed;
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000 - started.cpuMs;
  } catch {
    // The thread has ended meanwhile, and its task with it.
    return 0;
  }
}

const closed = () => new WorkerLost("The worker pool is closed.");
