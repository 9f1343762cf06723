import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { RateLimits } from "../config/config.js";

/** A request that was answered, or whose client went away before. */
export interface AnsweredRequest {
  method: string;
  /** Path of the route with its parameter's name; undefined for a path that nothing answers. */
  route: string | undefined;
  /** 499 when the client went away. */
  status: number;
  seconds: number;
}

export interface HttpMetrics {
  /** Called once a request, before {@link HttpMetrics.answered}. */
  arrived(): void;
  answered(request: AnsweredRequest): void;
  /** A request was refused because its budget is spent. */
  rateLimited(budget: keyof RateLimits): void;
}

/** Label of requests to paths that nothing answers, as the log has it. */
export const noRoute = "(none)";

/** Seconds. Most answers take about a millisecond, and a search is given up after some seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Whoever calls chooses the method, of the forty that Node reads: those that no route has count as one. */
const toldMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

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
    help: "Requests refused because their budget was spent, by budget.",
    labelNames: ["budget"],
    registers,
  });
  let inFlight = 0;
  registry.registerMetric(
    new Gauge({
      name: "periscope_http_requests_in_flight",
      help: "Requests that have arrived and are not answered yet, this one included.",
      registers: [],
      collect() {
        this.set(inFlight);
      },
    }),
  );

  // Made once for each combination: a request then costs two lookups here instead of two label objects.
  const counters = new Map<string, Counter.Internal>();
  const observers = new Map<string, Histogram.Internal<"route">>();
  return {
    arrived() {
      inFlight++;
    },
    answered({ method, route = noRoute, status, seconds }) {
      inFlight--;
      const told = toldMethods.has(method) ? method : "(other)";
      const key = `${told} ${route} ${status}`;
      let counter = counters.get(key);
      if (!counter) counters.set(key, (counter = requests.labels(told, route, String(status))));
      counter.inc();
      let observer = observers.get(route);
      if (!observer) observers.set(route, (observer = durations.labels(route)));
      observer.observe(seconds);
    },
    rateLimited: (budget) => rateLimited.inc({ budget: budgetName(budget) }),
  };
}

/** A budget as settings and documents spell it: `batch-sync`. */
function budgetName(budget: keyof RateLimits): string {
  return budget.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
