import { setTimeout as wait } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { type PrivacyLevel, privacyLevels, type RedactionCounts } from "@periscope/privacy";
import { ByeReason } from "@periscope/schemas";
import { type MetricsSummary, toMetricsSummary } from "./metrics-summary.js";
import type { RateLimits } from "../config/config.js";
import { budgetName } from "../rates/rate-limiter.js";
import type { FilteredPart } from "../privacy/privacy-filter.js";

/** How long the event loop is watched before its lag is first reported; without any sample the lag reads 292 years. */
const firstLookMs = 25;

/** Seconds. Most answers take about a millisecond; a search times out after some seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Node accepts forty methods; those that no route has count together. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Route of requests to paths that do not exist, here and in the log. */
export const noRoute = "(none)";

/** The bounds on what clients may occupy, as labels: those of http/bounds.ts, of JSON, and of what waits for a turn. */
export const boundNames = [
  "body_parts",
  "json",
  "waiting",
  "total_bytes",
  "user_bytes",
  "user_requests",
  "connections",
  "address_connections",
  "connection_requests",
  "request_time",
  "read_time",
] as const;
export type BoundName = (typeof boundNames)[number];

/** Counts since the server started. No label holds a user, an id, a URL or captured data. */
export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Creates metrics in a registry of their own.
 * @param version of the server, a label of `periscope_build_info`
 */
export function createMetrics(version: string) {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });

  new Gauge({ name: "periscope_build_info", help: "Always 1; the label is the version.", labelNames: ["version"], registers })
    .labels(version)
    .set(1);
  const searchTimeouts = counter("periscope_search_timeouts_total", "Searches that timed out.");
  const requests = counter(
    "periscope_http_requests_total",
    "Requests answered, by method, route and status; 499 is a client that went away.",
    "method",
    "route",
    "status",
  );
  const durations = new Histogram({
    name: "periscope_http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its answer.",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const rateLimited = counter(
    "periscope_http_rate_limited_total",
    "Requests refused because their rate budget was used up, by budget.",
    "budget",
  );
  const pastBound = counter(
    "periscope_http_past_bound_total",
    "Requests and connections refused or ended because they were past a bound on what clients may occupy, by bound.",
    "bound",
  );
  for (const bound of boundNames) pastBound.inc({ bound }, 0);
  const inFlight = new Gauge({ name: "periscope_http_requests_in_flight", help: "Requests in flight, this one included.", registers });
  const messages = counter(
    "periscope_sync_messages_total",
    "Messages by type and outcome: stored, duplicate or the error code. Messages of a batch count one by one.",
    "type",
    "outcome",
  );
  const contexts = counter("periscope_privacy_contexts_total", "Contexts stored, by privacy level.", "level");
  const redactions = counter("periscope_privacy_redactions_total", "Values removed from stored contexts, by kind.", "kind");
  const notCaptured = counter("periscope_privacy_not_captured_total", "Contexts rejected, by reason.", "reason");
  const imported = counter("periscope_import_contexts_total", "Contexts of imports, by what became of them.", "outcome");
  const expired = counter("periscope_retention_deleted_total", "Contexts deleted because their time was over.");
  const liveConnections = new Gauge({
    name: "periscope_live_connections",
    help: "Open connections to the live channel, by transport.",
    labelNames: ["transport"],
    registers,
  });
  const liveFrames = counter("periscope_live_frames_total", "Frames sent to subscribers of the live channel.");
  const liveEnded = counter("periscope_live_ended_total", "Live connections that the server ended, by reason.", "reason");
  for (const transport of ["websocket", "sse", "mcp"]) liveConnections.set({ transport }, 0);
  for (const reason of ByeReason.options) liveEnded.inc({ reason }, 0);
  const failedClosed = counter(
    "periscope_privacy_failed_closed_total",
    "Failures of the privacy filter, by what it was filtering. Nothing of its input was kept.",
    "part",
  );
  // Present from the start, so that the first failure shows as a rise from 0.
  for (const part of ["context", "record", "text"] satisfies FilteredPart[]) failedClosed.inc({ part }, 0);
  for (const level of privacyLevels) contexts.inc({ level }, 0);

  let hasProcessMetrics = false;
  const watchProcess = async () => {
    if (hasProcessMetrics) return;
    hasProcessMetrics = true;
    // Watching the event loop wakes the process a hundred times a second, so it starts with the first reader.
    collectDefaultMetrics({ register: registry });
    await wait(firstLookMs);
  };

  return {
    http: {
      /** A request arrived; {@link Metrics.http.answered} follows once. */
      arrived: () => inFlight.inc(),
      /** A request was answered, or its client went away first (499). `route` is undefined for a path that does not exist. */
      answered({
        method,
        route = noRoute,
        status,
        seconds,
      }: {
        method: string;
        route: string | undefined;
        status: number;
        seconds: number;
      }) {
        inFlight.dec();
        requests.inc({ method: knownMethods.has(method) ? method : "(other)", route, status });
        durations.observe({ route }, seconds);
      },
      rateLimited: (budget: keyof RateLimits) => rateLimited.inc({ budget: budgetName(budget) }),
      pastBound: (bound: BoundName) => pastBound.inc({ bound }),
    },
    sync: {
      message: (type: string | undefined, outcome: string) => messages.inc({ type: type ?? "(none)", outcome }),
    },
    privacy: {
      context(level: PrivacyLevel, removed: Readonly<RedactionCounts>) {
        contexts.inc({ level });
        for (const [kind, count] of Object.entries(removed)) redactions.inc({ kind }, count);
      },
      notCaptured(reasons: readonly string[]) {
        for (const reason of reasons) notCaptured.inc({ reason });
      },
      failedClosed: (part: FilteredPart) => failedClosed.inc({ part }),
    },
    data: {
      imported: (outcome: string) => imported.inc({ outcome }),
      expired: (contexts: number) => expired.inc(contexts),
    },
    live: {
      connected: (transport: "websocket" | "sse" | "mcp", change: 1 | -1) => liveConnections.inc({ transport }, change),
      sent: () => liveFrames.inc(),
      ended: (reason: ByeReason) => liveEnded.inc({ reason }),
    },
    searchTimedOut: () => searchTimeouts.inc(),
    async summary(): Promise<MetricsSummary> {
      await watchProcess();
      return toMetricsSummary(await registry.getMetricsAsJSON());
    },
    /** All metrics in Prometheus' text format, with the content type that names its version. */
    async exposition(): Promise<{ contentType: string; text: string }> {
      await watchProcess();
      const text = await registry.metrics();
      // prom-client writes NaN in a way that the format does not define.
      return { contentType: registry.contentType, text: text.replaceAll(/ Nan$/gm, " NaN") };
    },
  };
}
