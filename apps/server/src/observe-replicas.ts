import type { Logger } from "pino";
import { describeFailure } from "./http/request-log.js";
import type { ReplicaObserver } from "./storage/replica-options.js";
import type { ReplicaMetrics } from "./metrics/replica-metrics.js";

/** Tells the metrics how read replicas are, and the log when one is left out or comes back. */
export function observeReplicas(metrics: ReplicaMetrics, logger: Pick<Logger, "info" | "warn">): ReplicaObserver {
  return {
    read: (target) => metrics.read(target),
    heard: ({ name, status, lagMs }) => metrics.heard({ name, isUsed: status === "used", lagMs }),
    changed({ name, place, status, lagMs, failure }) {
      const line = { replica: name, place, status, lagMs };
      if (status === "used") return logger.info(line, "a read replica is read from now on");
      logger.warn({ ...line, failure: failure && describeFailure(failure) }, "a read replica is left out until it is well again");
    },
  };
}
