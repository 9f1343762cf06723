import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { MetricsSnapshot, OtherProcesses } from "../metrics/metrics.js";

/**
 * Messages between the processes that share a port and their parent. A worker asks its parent for the metrics of the others;
 * the parent asks each worker for its own.
 */
type Message = { baseUrl: string } | { ask: string } | { answer: string; snapshots: MetricsSnapshot[] };
type Channel = Pick<Worker, "on" | "off" | "send">;

const isMessage = (message: unknown): message is Message => typeof message === "object" && message !== null;

/** Wait this long before a worker that crashed is replaced, so that a permanent fault does not spin. */
const replaceAfterMs = 1_000;
/** A process that does not report its metrics in this time is left out. */
const metricsTimeoutMs = 1_000;

/** Whether this process is one of several that share the port. */
export function isWorkerProcess(): boolean {
  return cluster.isWorker;
}

/** Tells the parent process where this worker listens. */
export function announceListening(baseUrl: string): void {
  process.send?.({ baseUrl } satisfies Message);
}

/**
 * Starts `count` workers that run this same command and share its port. A worker that crashes is replaced. Rejects when one ends
 * before it listens. Answers the address that all share, and what stops them and resolves when the last has ended.
 * @param report receives lines for the operator
 */
export async function startProcesses(
  count: number,
  report: (line: string) => void,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  let state: "starting" | "running" | "closing" = "starting";
  const replacements = new Set<NodeJS.Timeout>();
  const start = (): Worker => {
    const worker = cluster.fork();
    worker.once("exit", (code, signal) => {
      if (state !== "running") return;
      report(`Server process ${worker.process.pid} crashed (${signal ?? `exit ${code}`}). Starting another.\n`);
      const timer = setTimeout(() => {
        replacements.delete(timer);
        start();
      }, replaceAfterMs);
      replacements.add(timer);
    });
    return worker;
  };
  cluster.on("message", (asking, message: unknown) => {
    if (isMessage(message) && "ask" in message) void answerWithOthers(asking, message.ask);
  });

  const close = async () => {
    state = "closing";
    for (const timer of replacements) clearTimeout(timer);
    await Promise.all(
      workers().map(async (worker) => {
        if (worker.isDead()) return;
        const ended = once(worker, "exit");
        worker.process.kill("SIGTERM");
        await ended;
      }),
    );
  };
  try {
    const [baseUrl = ""] = await Promise.all(Array.from({ length: count }, () => listening(start())));
    state = "running";
    return { baseUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The processes that share the port with this one; undefined when there are none. */
export function otherProcesses(): OtherProcesses | undefined {
  const { worker } = cluster;
  if (!worker) return undefined;
  return {
    name: String(worker.id),
    answer(snapshot) {
      worker.on("message", (message: unknown) => {
        if (!isMessage(message) || !("ask" in message)) return;
        // After a failure the asking process waits until its timeout.
        snapshot()
          .then((own) => worker.send({ answer: message.ask, snapshots: [own] } satisfies Message))
          .catch(() => {});
      });
    },
    ask: () => ask(worker, 2 * metricsTimeoutMs),
  };
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
}

async function answerWithOthers(asking: Worker, id: string): Promise<void> {
  const others = workers().filter((worker) => worker.id !== asking.id && worker.isConnected());
  const answers = await Promise.all(others.map((worker) => ask(worker, metricsTimeoutMs)));
  if (asking.isConnected()) asking.send({ answer: id, snapshots: answers.flat() } satisfies Message);
}

/** Asks the process at the other end for metrics; none when it does not answer in time. */
function ask(channel: Channel, withinMs: number): Promise<MetricsSnapshot[]> {
  return new Promise((resolve) => {
    const id = randomUUID();
    const finish = (snapshots: MetricsSnapshot[]) => {
      clearTimeout(timer);
      channel.off("message", onMessage);
      resolve(snapshots);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && "answer" in message && message.answer === id) finish(message.snapshots);
    };
    const timer = setTimeout(() => finish([]), withinMs);
    channel.on("message", onMessage);
    channel.send({ ask: id } satisfies Message);
  });
}

function listening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on("message", (message: unknown) => {
      if (isMessage(message) && "baseUrl" in message) resolve(message.baseUrl);
    });
    worker.once("exit", () => reject(new Error("A server process ended before it was listening. Its message is above.")));
  });
}
