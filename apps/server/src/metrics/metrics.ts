import { setTimeout as pause } from "node:timers/promises";
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { type PrivacyLevel, privacyLevels, type RedactionCounts } from "@periscope/privacy";
import type { RateLimits } from "../config/config.js";
import { budgetName } from "../rates/rate-limiter.js";
import type { FilteredPart } from "../privacy/privacy-filter.js";

/** Counts since the server started. No label holds a user, an id, a URL or captured data. */
export interface Metrics {
  readonly http: HttpMetrics;
  readonly sync: SyncMetrics;
  readonly privacy: PrivacyMetrics;
  /** A search timed out. */
  searchTimedOut(): void;
  /** All metrics in Prometheus' text format, with the content type that names its version. */
  exposition(): Promise<{ contentType: string; text: string }>;
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

/** A request that was answered, or whose client went away first. */
export interface AnsweredRequest {
  method: string;
  /** Path of the route with its parameter's name; undefined for a path that does not exist. */
  route: string | undefined;
  /** 499 when the client went away. */
  status: number;
  seconds: number;
}

export interface HttpMetrics {
  /** Called once a request, before {@link HttpMetrics.answered}. */
  arrived(): void;
  answered(request: AnsweredRequest): void;
  /** A request was refused because its budget is used up. */
  rateLimited(budget: keyof RateLimits): void;
}

/** Route of requests to paths that do not exist, here and in the log. */
export const noRoute = "(none)";

/** Seconds. Most answers take about a millisecond; a search times out after some seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Node accepts forty methods; those that no route has count together. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: "periscope_http_requests_total",
    help: "Requests answered, by method, route and status; 499 is a client that went away.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "periscope_http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its answer.",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const rateLimited = new Counter({
    name: "periscope_http_rate_limited_total",
    help: "Requests refused because their rate budget was used up, by budget.",
    labelNames: ["budget"],
    registers,
  });
  let inFlight = 0;
  registry.registerMetric(
    new Gauge({
      name: "periscope_http_requests_in_flight",
      help: "Requests in flight, this one included.",
      registers: [],
      collect() {
        this.set(inFlight);
      },
    }),
  );

  return {
    arrived() {
      inFlight++;
    },
    answered({ method, route = noRoute, status, seconds }) {
      inFlight--;
      requests.inc({ method: knownMethods.has(method) ? method : "(other)", route, status });
      durations.observe({ route }, seconds);
    },
    rateLimited: (budget) => rateLimited.inc({ budget: budgetName(budget) }),
  };
}

export interface SyncMetrics {
  /**
   * A message was processed.
   * @param type of the message; undefined when it is not a known one
   * @param outcome `stored`, `duplicate` or the code of the error
   */
  message(type: string | undefined, outcome: string): void;
}

function createSyncMetrics(registry: Registry): SyncMetrics {
  const messages = new Counter({
    name: "periscope_sync_messages_total",
    help: "Messages by type and outcome: stored, duplicate or the error code. Messages of a batch count one by one.",
    labelNames: ["type", "outcome"],
    registers: [registry],
  });
  return { message: (type = "(none)", outcome) => messages.inc({ type, outcome }) };
}

export interface PrivacyMetrics {
  /** A context was stored at this level, after these redactions. */
  context(level: PrivacyLevel, redactions: Readonly<RedactionCounts>): void;
  /** A page was rejected. @param reasons as the filter names them, such as `blocked-site` */
  notCaptured(reasons: readonly string[]): void;
  /** The filter failed, and nothing of its input was kept. */
  failedClosed(part: FilteredPart): void;
}

/** Operators can define kinds of their own; past this many, further kinds count together. */
const labelsMax = 100;

function createPrivacyMetrics(registry: Registry): PrivacyMetrics {
  const registers = [registry];
  const contexts = new Counter({
    name: "periscope_privacy_contexts_total",
    help: "Contexts stored, by privacy level.",
    labelNames: ["level"],
    registers,
  });
  const redactions = new Counter({
    name: "periscope_privacy_redactions_total",
    help: "Values removed from stored contexts, by kind.",
    labelNames: ["kind"],
    registers,
  });
  const notCaptured = new Counter({
    name: "periscope_privacy_not_captured_total",
    help: "Contexts rejected, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const failedClosed = new Counter({
    name: "periscope_privacy_failed_closed_total",
    help: "Failures of the privacy filter, by what it was filtering. Nothing of its input was kept.",
    labelNames: ["part"],
    registers,
  });
  // Present from the start, so that the first failure shows as a rise from 0.
  for (const part of ["context", "record", "text"] satisfies FilteredPart[]) failedClosed.inc({ part }, 0);
  for (const level of privacyLevels) contexts.inc({ level }, 0);
  const kindLabel = limitLabel(labelsMax);
  const reasonLabel = limitLabel(labelsMax);
  return {
    context(level, removed) {
      contexts.inc({ level });
      for (const [kind, count] of Object.entries(removed)) redactions.inc({ kind: kindLabel(kind) }, count);
    },
    notCaptured(reasons) {
      for (const reason of reasons) notCaptured.inc({ reason: reasonLabel(reason) });
    },
    failedClosed: (part) => failedClosed.inc({ part }),
  };
}

/** Bounds the values of a label: the first `valuesMax` different ones are kept, all further ones become `(other)`. */
export function limitLabel(valuesMax: number): (value: string) => string {
  const kept = new Set<string>();
  return (value) => {
    if (kept.has(value)) return value;
    if (kept.size >= valuesMax) return "(other)";
    kept.add(value);
    return value;
  };
}
