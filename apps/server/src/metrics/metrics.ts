import { setTimeout as pause } from "node:timers/promises";
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.js";
import { createPrivacyMetrics, createSyncMetrics, type PrivacyMetrics, type SyncMetrics } from "./sync-metrics.js";

/** Counts since the server started. No label holds a user, an id, a URL or captured data. */
export interface Metrics {
  readonly http: HttpMetrics;
  readonly sync: SyncMetrics;
  readonly privacy: PrivacyMetrics;
  /** A search timed out. */
  searchTimedOut(): void;
  /** All metrics for Prometheus. */
  exposition(): Promise<Exposition>;
}

/** Prometheus' text format, and the content type that names its version. */
export interface Exposition {
  contentType: string;
  text: string;
}

/** How long the event loop is watched before its lag is first reported; without any sample the lag reads 292 years. */
const firstLookMs = 25;

/** The metrics of one process, as it can send them to another. */
export type MetricsSnapshot = object[];

/** The processes that serve on the same port. Whichever is asked for metrics answers for all of them. */
export interface OtherProcesses {
  /** Name of this process, a label of everything it counts. */
  name: string;
  /** Sets what the others get when they ask. */
  answer(snapshot: () => Promise<MetricsSnapshot>): void;
  /** The metrics of the others, without those that do not answer in time. */
  ask(): Promise<MetricsSnapshot[]>;
}

/**
 * Creates metrics in a registry of their own.
 * @param version of the server, a label of `periscope_build_info`
 * @param others processes on the same port; metrics then have the label `process`
 */
export function createMetrics(version: string, others?: OtherProcesses): Metrics {
  const registry = new Registry();
  if (others) registry.setDefaultLabels({ process: others.name });
  const registers = [registry];
  new Gauge({ name: "periscope_build_info", help: "Always 1; the label is the version.", labelNames: ["version"], registers })
    .labels(version)
    .set(1);
  const searchTimeouts = new Counter({ name: "periscope_search_timeouts_total", help: "Searches that timed out.", registers });
  let hasProcessMetrics = false;
  const watchProcess = async () => {
    if (hasProcessMetrics) return;
    hasProcessMetrics = true;
    // Watching the event loop wakes the process a hundred times a second, so it starts with the first reader.
    collectDefaultMetrics({ register: registry });
    await pause(firstLookMs);
  };
  const snapshot = async (): Promise<MetricsSnapshot> => {
    await watchProcess();
    return await registry.getMetricsAsJSON();
  };
  others?.answer(snapshot);
  return {
    http: createHttpMetrics(registry),
    sync: createSyncMetrics(registry),
    privacy: createPrivacyMetrics(registry),
    searchTimedOut: () => searchTimeouts.inc(),
    async exposition() {
      await watchProcess();
      // Each process keeps a label of its own: sums would fall when a process is replaced.
      const all = others
        ? AggregatorRegistry.aggregate(await Promise.all([snapshot(), others.ask()]).then(([own, told]) => [own, ...told]))
        : registry;
      const text = await all.metrics();
      // prom-client writes NaN in a way that the format does not define.
      return { contentType: registry.contentType, text: text.replaceAll(/ Nan$/gm, " NaN") };
    },
  };
}
