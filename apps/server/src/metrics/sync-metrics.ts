import { Counter, type Registry } from "prom-client";

export interface SyncMetrics {
  /**
   * What became of a message.
   * @param type of the message; undefined when it has none of the known ones
   * @param outcome `stored`, `duplicate` or the code of the error
   */
  message(type: string | undefined, outcome: string): void;
}

export function createSyncMetrics(registry: Registry): SyncMetrics {
  const messages = new Counter({
    name: "periscope_sync_messages_total",
    help: "Messages by type and outcome: stored, duplicate or the code of the error. Those of a batch count one by one.",
    labelNames: ["type", "outcome"],
    registers: [registry],
  });
  return { message: (type = "(none)", outcome) => messages.inc({ type, outcome }) };
}
