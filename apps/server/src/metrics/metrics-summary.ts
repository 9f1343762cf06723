import type { MetricObjectWithValues, MetricValue } from "prom-client";

/** What an operator looks at first. Counts are since the start, so that a reader makes rates of two of them. */
export interface MetricsSummary {
  requests: number;
  /** Those of them that the server failed to answer. */
  failed: number;
  /** Those of them that were over a rate limit. */
  limited: number;
  inProgress: number;
  /** How many requests took at most so many seconds; the last, without a bound, has all. Streams, which stay open, are not among them. */
  durations: Array<{ seconds: number | null; count: number }>;
  stored: number;
  memoryBytes: number;
}

/** Routes whose answers take as long as their client wants. */
const streams = /(?:live|export|import|erase)$/;

/** The summary of a registry, as prom-client gives it as JSON. */
export function toMetricsSummary(metrics: ReadonlyArray<MetricObjectWithValues<MetricValue<string>>>): MetricsSummary {
  const valuesOf = (name: string) => metrics.find((metric) => metric.name === name)?.values ?? [];
  const sum = (name: string, isMeant: (labels: MetricValue<string>["labels"]) => boolean = () => true) =>
    valuesOf(name)
      .filter(({ labels }) => isMeant(labels))
      .reduce((total, { value }) => total + value, 0);
  const durations = new Map<number | null, number>();
  for (const { value, labels } of valuesOf("periscope_http_request_duration_seconds")) {
    if (labels["le"] === undefined || streams.test(String(labels["route"]))) continue;
    const seconds = labels["le"] === "+Inf" ? null : Number(labels["le"]);
    durations.set(seconds, (durations.get(seconds) ?? 0) + value);
  }
  return {
    requests: sum("periscope_http_requests_total"),
    failed: sum("periscope_http_requests_total", ({ status }) => Number(status) >= 500),
    limited: sum("periscope_http_requests_total", ({ status }) => Number(status) === 429),
    inProgress: sum("periscope_http_requests_in_flight"),
    durations: [...durations].map(([seconds, count]) => ({ seconds, count })),
    stored: sum("periscope_privacy_contexts_total"),
    memoryBytes: sum("process_resident_memory_bytes"),
  };
}
