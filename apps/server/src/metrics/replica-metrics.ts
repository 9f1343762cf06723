import { Counter, Gauge, type Registry } from "prom-client";

export interface ReplicaMetrics {
  /** A read was sent to a server. @param target `primary`, `replica-1` and so on */
  read(target: string): void;
  /** How a replica is. @param lagMs undefined when it is not known */
  heard(replica: { name: string; isUsed: boolean; lagMs: number | undefined }): void;
}

export function createReplicaMetrics(registry: Registry): ReplicaMetrics {
  const registers = [registry];
  const reads = new Counter({
    name: "periscope_database_reads_total",
    help: "Reads of contexts sent to a database server, where there are read replicas; one that is run again at another counts at both.",
    labelNames: ["target"],
    registers,
  });
  const lag = new Gauge({
    name: "periscope_replica_lag_seconds",
    help: "Time by which a read replica is behind, as of its last answer.",
    labelNames: ["replica"],
    registers,
  });
  const used = new Gauge({
    name: "periscope_replica_used",
    help: "1 while a read replica is read, 0 while it lags too much or does not answer.",
    labelNames: ["replica"],
    registers,
  });
  return {
    read: (target) => reads.inc({ target }),
    heard({ name, isUsed, lagMs }) {
      used.set({ replica: name }, isUsed ? 1 : 0);
      if (lagMs !== undefined) lag.set({ replica: name }, lagMs / 1000);
    },
  };
}
