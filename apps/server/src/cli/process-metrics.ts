import cluster, { type Worker } from "node:cluster";
import { randomUUID } from "node:crypto";
import type { MetricsSnapshot, OtherProcesses } from "../metrics/metrics.js";

/** What processes that serve on one port say to each other, by way of the one that has started them. */
type Message =
  | { kind: "metrics-wanted" | "metrics-asked"; id: string }
  | { kind: "metrics-told"; id: string; snapshot: MetricsSnapshot }
  | { kind: "metrics-of-others"; id: string; snapshots: MetricsSnapshot[] };

/** Milliseconds after which a process that has not told its counts is left out. */
const tellWithinMs = 1_000;

const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "kind" in message && String(message.kind).startsWith("metrics-");

/** Brings what a process asks to all others, and their answers back; to be called in the process that has started them. */
export function passMetrics(): void {
  cluster.on("message", (asking, message: unknown) => {
    if (isMessage(message) && message.kind === "metrics-wanted") void tellOthers(asking, message.id);
  });
}

async function tellOthers(asking: Worker, id: string): Promise<void> {
  const others = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && worker.id !== asking.id);
  const told = await Promise.all(others.map(ask));
  const snapshots = told.filter((snapshot) => snapshot !== undefined);
  if (asking.isConnected()) asking.send({ kind: "metrics-of-others", id, snapshots } satisfies Message);
}

function ask(worker: Worker | undefined): Promise<MetricsSnapshot | undefined> {
  return new Promise((resolve) => {
    if (!worker?.isConnected()) return resolve(undefined);
    const id = randomUUID();
    const end = (snapshot?: MetricsSnapshot) => {
      clearTimeout(timer);
      worker.off("message", onMessage);
      resolve(snapshot);
    };
    const onMessage = (message: unknown) => {
      if (isMessage(message) && message.kind === "metrics-told" && message.id === id) end(message.snapshot);
    };
    const timer = setTimeout(end, tellWithinMs);
    worker.on("message", onMessage);
    worker.send({ kind: "metrics-asked", id } satisfies Message);
  });
}

/** The processes that serve beside this one; undefined when there are none. */
export function otherProcesses(): OtherProcesses | undefined {
  if (!cluster.worker) return undefined;
  const say = (message: Message) => void process.send?.(message);
  return {
    name: String(cluster.worker.id),
    answer(snapshot) {
      process.on("message", (message: unknown) => {
        if (isMessage(message) && message.kind === "metrics-asked")
          // Counts that cannot be told are left out: whoever asked waits no longer than its time.
          snapshot()
            .then((told) => say({ kind: "metrics-told", id: message.id, snapshot: told }))
            .catch(() => {});
      });
    },
    ask: () =>
      new Promise((resolve) => {
        const id = randomUUID();
        const end = (snapshots: MetricsSnapshot[]) => {
          clearTimeout(timer);
          process.off("message", onMessage);
          resolve(snapshots);
        };
        const onMessage = (message: unknown) => {
          if (isMessage(message) && message.kind === "metrics-of-others" && message.id === id) end(message.snapshots);
        };
        const timer = setTimeout(() => end([]), 2 * tellWithinMs);
        process.on("message", onMessage);
        say({ kind: "metrics-wanted", id });
      }),
  };
}
