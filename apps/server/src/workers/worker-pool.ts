/**
 * Worker threads for work that takes processor time: filtering and analysing captures, and searching the embedded database. Fair between
 * users: while others wait, one user has at most half of the threads, and whoever used the least time goes first.
 */
export interface WorkerPool<Tasks extends TaskTypes> extends AsyncDisposable {
  /**
   * Runs a task on a thread. Input and output are structured clones. Rejects with {@link TaskTimeout} when the task used more than
   * `cpuMsMax` of processor time (its thread is ended), and with {@link WorkerLost} when the thread ended for another reason.
   * Errors that the task throws arrive with their name, message and `code`.
   */
  run<Name extends keyof Tasks & string>(name: Name, input: Tasks[Name]["input"], options: TaskOptions): Promise<Tasks[Name]["output"]>;
}

/** Names of tasks with what goes in and what comes out. */
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
