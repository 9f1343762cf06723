import { type PrivacyLevel, privacyLevels, type RedactionCounts } from "@periscope/privacy";
import { Counter, type Registry } from "prom-client";
import type { FilteredPart } from "../privacy/privacy-filter.js";

export interface SyncMetrics {
  /**
   * A message was processed.
   * @param type of the message; undefined when it is not a known one
   * @param outcome `stored`, `duplicate` or the code of the error
   */
  message(type: string | undefined, outcome: string): void;
}

export function createSyncMetrics(registry: Registry): SyncMetrics {
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

export function createPrivacyMetrics(registry: Registry): PrivacyMetrics {
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
