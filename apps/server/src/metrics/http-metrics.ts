import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { RateLimits } from "../config/config.js";
import { budgetName } from "../rates/rate-limiter.js";

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

export function createHttpMetrics(registry: Registry): HttpMetrics {
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

  // Cached for each combination, so that a request costs two lookups instead of two label objects.
  const counters = new Map<string, Counter.Internal>();
  const observers = new Map<string, Histogram.Internal<"route">>();
  return {
    arrived() {
      inFlight++;
    },
    answered({ method, route = noRoute, status, seconds }) {
      inFlight--;
      const label = knownMethods.has(method) ? method : "(other)";
      const key = `${label} ${route} ${status}`;
      let counter = counters.get(key);
      if (!counter) counters.set(key, (counter = requests.labels(label, route, String(status))));
      counter.inc();
      let observer = observers.get(route);
      if (!observer) observers.set(route, (observer = durations.labels(route)));
      observer.observe(seconds);
    },
    rateLimited: (budget) => rateLimited.inc({ budget: budgetName(budget) }),
  };
}
