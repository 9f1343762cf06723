import { type PrivacyLevel, privacyLevels, type RedactionCounts } from "@periscope/privacy";
import { Counter, type Registry } from "prom-client";
import type { FilteredPart } from "../privacy/privacy-filter.js";
import { limitLabel } from "./limit-label.js";

export interface PrivacyMetrics {
  /** A context was written at this level, and this was removed from it. */
  context(level: PrivacyLevel, redactions: Readonly<RedactionCounts>): void;
  /** A page was refused. @param reasons as the filter names them, e.g. `blocked-site` */
  notCaptured(reasons: readonly string[]): void;
  /** The filter failed, and what it was given was reduced to nothing. */
  failedClosed(part: FilteredPart): void;
}

/** Kinds that operators define are labels like any other; past this many different ones the rest count together. */
const labelsMax = 100;

export function createPrivacyMetrics(registry: Registry): PrivacyMetrics {
  const registers = [registry];
  const contexts = new Counter({
    name: "periscope_privacy_contexts_total",
    help: "Contexts written, by the level that they were stored at.",
    labelNames: ["level"],
    registers,
  });
  const redactions = new Counter({
    name: "periscope_privacy_redactions_total",
    help: "Values removed from contexts that were written, by kind.",
    labelNames: ["kind"],
    registers,
  });
  const notCaptured = new Counter({
    name: "periscope_privacy_not_captured_total",
    help: "Contexts refused, by reason.",
    labelNames: ["reason"],
    registers,
  });
  const failedClosed = new Counter({
    name: "periscope_privacy_failed_closed_total",
    help: "Times that the filter failed and nothing of what it was given was kept, by what it failed at.",
    labelNames: ["part"],
    registers,
  });
  // There from the start, so that the first failure is a rise from 0 and not a series that was never seen before.
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
