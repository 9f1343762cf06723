import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { passMetrics } from "./process-metrics.js";

/** What a process of the service tells the one that started it. */
interface Listening {
  baseUrl: string;
}

/** A process that ends by itself is replaced; not sooner than this after the one before, so that a fault does not become a storm. */
const replaceAfterMs = 1_000;

/** Whether this process was started to serve beside others, by {@link startProcesses} in another. */
export function isServingBesideOthers(): boolean {
  return cluster.isWorker;
}

/** Tells the process that started this one where it listens. */
export function announceListening(baseUrl: string): void {
  process.send?.({ baseUrl } satisfies Listening);
}

export interface ServerProcesses {
  /** Base address, which all of them share. */
  baseUrl: string;
  /** Tells all of them to stop, and resolves when the last has ended. */
  close(): Promise<void>;
}

/**
 * Starts `count` processes that run this same command and share its port; one that ends by itself is replaced. Rejects when one ends before
 * it listens.
 * @param report told what the operator should know
 */
export async function startProcesses(count: number, report: (line: string) => void): Promise<ServerProcesses> {
  let isClosing = false;
  const replacements = new Set<NodeJS.Timeout>();
  const start = (): Worker => {
    const worker = cluster.fork();
    worker.once("exit", (code, signal) => {
      if (isClosing || !started) return;
      report(`Server process ${worker.process.pid} ended by itself (${signal ?? `exit ${code}`}); another takes its place.\n`);
      const timer = setTimeout(() => {
        replacements.delete(timer);
        start();
      }, replaceAfterMs);
      replacements.add(timer);
    });
    return worker;
  };
  let started = false;
  passMetrics();

  const close = async () => {
    isClosing = true;
    for (const timer of replacements) clearTimeout(timer);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map(async (worker) => {
        if (worker.isDead()) return;
        const ended = once(worker, "exit");
        worker.process.kill("SIGTERM");
        await ended;
      }),
    );
  };
  try {
    const [first] = await Promise.all(Array.from({ length: count }, () => listening(start())));
    started = true;
    return { baseUrl: first?.baseUrl ?? "", close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function listening(worker: Worker): Promise<Listening> {
  return await new Promise((resolve, reject) => {
    worker.on("message", (message: Partial<Listening>) => {
      if (message.baseUrl !== undefined) resolve({ baseUrl: message.baseUrl });
    });
    worker.once("exit", () => reject(new Error("A server process ended before it listened; what it said stands above.")));
  });
}
