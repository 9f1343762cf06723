import { setTimeout as pause } from "node:timers/promises";
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { MetricsSnapshot, OtherProcesses } from "./other-processes.js";
import { createHttpMetrics, type HttpMetrics } from "./http-metrics.js";
import { createPrivacyMetrics, type PrivacyMetrics } from "./privacy-metrics.js";
import { createSyncMetrics, type SyncMetrics } from "./sync-metrics.js";

/** What the service counts of itself since it started. No label holds a user, an id, a URL or anything that was captured. */
export interface Metrics {
  readonly http: HttpMetrics;
  readonly sync: SyncMetrics;
  readonly privacy: PrivacyMetrics;
  /** A search ran out of its time. */
  searchTimedOut(): void;
  /** Everything, as Prometheus reads it. */
  exposition(): Promise<Exposition>;
}

/** All metrics in the text format of Prometheus, and the content type that names its version. */
export interface Exposition {
  contentType: string;
  text: string;
}

/** How long the event loop is watched before it is first told of; one that was never looked at has a lag of 292 years. */
const firstLookMs = 25;

/**
 * Metrics in a registry of their own.
 * @param version of the server, told as a label of `periscope_build_info`
 * @param others processes on the same port: the exposition is of all, each with its name as the label `process`
 */
export function createMetrics(version: string, others?: OtherProcesses): Metrics {
  const registry = new Registry();
  if (others) registry.setDefaultLabels({ process: others.name });
  const registers = [registry];
  new Gauge({ name: "periscope_build_info", help: "Always 1; its label is the version.", labelNames: ["version"], registers })
    .labels(version)
    .set(1);
  const searchTimeouts = new Counter({ name: "periscope_search_timeouts_total", help: "Searches that ran out of their time.", registers });
  let hasProcessMetrics = false;
  const watchProcess = async () => {
    if (hasProcessMetrics) return;
    hasProcessMetrics = true;
    // Watching the event loop wakes the process a hundred times a second: only for whoever reads what comes of it.
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
      // Their labels differ, so that nothing is added up: a process that is replaced would make a sum fall.
      const all = others
        ? AggregatorRegistry.aggregate(await Promise.all([snapshot(), others.ask()]).then(([own, told]) => [own, ...told]))
        : registry;
      const text = await all.metrics();
      // prom-client writes it in a way that Prometheus reads but its format does not know.
      return { contentType: registry.contentType, text: text.replaceAll(/ Nan$/gm, " NaN") };
    },
  };
}
