import { parentPort, workerData } from "node:worker_threads";
import type { FilterTask } from "./contexts/filter-task.js";
import type { LeftoversTask } from "./storage/sqlite/erase.js";
import type { MaintenanceTask } from "./storage/sqlite/maintenance.js";
import type { SearchTask } from "./storage/sqlite/search.js";
import type { WorkerMessage } from "./workers/worker-pool.js";

// Entry of a worker thread. It runs one task at a time.

/** What the server's worker threads do, by the names of the tasks. */
export type ServerTasks = {
  filter: FilterTask;
  search: SearchTask;
  leftovers: LeftoversTask;
  maintenance: MaintenanceTask;
};

/** What each task runs, loaded when it is needed first. */
const tasks: { [Name in keyof ServerTasks]: () => Promise<(input: ServerTasks[Name]["input"]) => Awaitable<ServerTasks[Name]["output"]>> } =
  {
    maintenance: async () => (await import("./storage/sqlite/maintenance.js")).runMaintenanceTask,
    leftovers: async () => (await import("./storage/sqlite/erase.js")).runLeftoversTask,
    search: async () => (await import("./storage/sqlite/search.js")).runSearchTask,
    filter: async () => (await import("./contexts/filter-task.js")).runFilterTask,
  };

type Awaitable<T> = T | Promise<T>;

const port = parentPort;
void Promise.all((workerData as Array<keyof ServerTasks>).map((name) => tasks[name]())).finally(() => send("ready"));
port?.on("message", ({ name, input }: { name: keyof ServerTasks; input: ServerTasks[keyof ServerTasks]["input"] }) => {
  void run(name, input).then(send, (error: unknown) => {
    const thrown = error instanceof Error ? error : new Error(String(error));
    // The clone of an error loses its code, and a name of its own.
    send({ error: thrown, kept: { name: thrown.name, ...("code" in thrown && { code: thrown.code }) } });
  });
});

async function run<Name extends keyof ServerTasks>(name: Name, input: ServerTasks[Name]["input"]): Promise<WorkerMessage> {
  const task = await tasks[name]();
  // Loading the code is not the task's fault, so its time is counted from here.
  send({ startedCpuMs: threadCpuMs() });
  return { output: await task(input) };
}

function threadCpuMs(): number | undefined {
  if (!("threadCpuUsage" in process)) return undefined;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function send(message: WorkerMessage): void {
  port?.postMessage(message);
}
