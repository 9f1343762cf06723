import type { ItemMessage } from "@periscope/schemas";
import { derived, type Filtered, type PrivacyFilter } from "../privacy/privacy-filter.js";
import { type Capture, captureOf } from "./capture.js";
import { filterPatch, type FilteredPatch } from "./fingerprint.js";
import type { Accepted } from "./message-intake.js";
import type { PreparedCapture, Preparer } from "./preparer.js";
import { storable } from "./storable.js";
import { type Failure, failure } from "./sync-outcome.js";

type Of<T extends ItemMessage["type"]> = Extract<ItemMessage, { type: T }>;

interface Common {
  ok: true;
  extensionId: string;
}

/** A message with all that can be worked out before the user's rows are looked at. */
export type Prepared = Common &
  (
    | ({ type: "create"; message: Of<"create">; capture: Capture } & PreparedCapture)
    | { type: "update"; message: Of<"update">; patch: FilteredPatch | undefined }
    | { type: "delete"; message: Of<"delete"> }
    | { type: "heartbeat"; message: Of<"heartbeat"> }
    | { type: "config"; message: Of<"config">; config: Filtered<Record<string, unknown>> }
    | { type: "error"; message: Of<"error">; report: ErrorReport }
  );

export type PreparedOf<T extends Prepared["type"]> = Extract<Prepared, { type: T }>;

/** An extension's error as it may be kept. */
export interface ErrorReport {
  code: Filtered<string>;
  message: Filtered<string>;
  /** JSON, or null. */
  details: Filtered<string> | null;
}

/** What is done in between, so that other events get their turn. */
export type Turn = () => Promise<void> | undefined;

/**
 * Filters and analyses what messages carry: the slow part of a sync, so it runs before the transaction, and in part on other threads. A page that
 * is not captured goes on all the same: the message may be the replay of one that was taken before the policy forbade it.
 */
export async function prepareAll(
  taken: ReadonlyArray<Accepted | Failure>,
  filter: PrivacyFilter,
  { preparer, turn }: { preparer: Preparer; turn: Turn },
): Promise<Array<Prepared | Failure>> {
  const captures = taken.flatMap((each) => (each.ok && each.message.type === "create" ? [captureOf(each.message.payload.context)] : []));
  const captured = await preparer.prepare(captures, filter, turn);
  let next = 0;
  const prepared: Array<Prepared | Failure> = [];
  for (const each of taken) {
    if (!each.ok) prepared.push(each);
    else if (each.message.type === "create") {
      const [capture, parts] = [captures[next], captured[next++]];
      if (!capture || !parts) throw new Error("a capture that was not prepared");
      prepared.push({ ok: true, extensionId: each.extensionId, type: "create", message: each.message, capture, ...parts });
    } else {
      prepared.push(prepareOther(each.message, each.extensionId, filter));
      await turn();
    }
  }
  return prepared;
}

function prepareOther(message: Exclude<ItemMessage, { type: "create" }>, extensionId: string, filter: PrivacyFilter): Prepared {
  const common = { ok: true, extensionId } as const;
  switch (message.type) {
    case "update": {
      const { privacyLevel = "private" } = message.payload.context;
      return { ...common, type: "update", message, patch: filterPatch(message.payload.context, privacyLevel, filter) };
    }
    case "config":
      return { ...common, type: "config", message, config: filter.record(message.payload.config) };
    case "error":
      return { ...common, type: "error", message, report: reportOf(message, filter) };
    case "delete":
      return { ...common, type: "delete", message };
    case "heartbeat":
      return { ...common, type: "heartbeat", message };
  }
}

/** The failure of a page that is never stored: a private window, a browser page, a blocked site. */
export function notCaptured(messageId: string, reasons: readonly string[]): Failure {
  return { ...failure(messageId, "privacy_rejected", `This page is not captured (${reasons.join(", ")}); nothing was stored.`), reasons };
}

function reportOf({ payload: { code, message, details } }: Of<"error">, filter: PrivacyFilter): ErrorReport {
  return filterReport({ code, message, details }, filter);
}

/** An error as an extension reports it, `undefined` for no details, filtered to be kept. */
export function filterReport(
  { code, message, details }: { code: string; message: string; details: unknown },
  filter: PrivacyFilter,
): ErrorReport {
  return {
    code: filter.text(storable(code)),
    message: filter.text(storable(message)),
    details: details === undefined ? null : derived(filter.record({ details }), (kept) => jsonOf(kept["details"])),
  };
}

/** JSON of a value; null for one that the filter has dropped. */
function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
