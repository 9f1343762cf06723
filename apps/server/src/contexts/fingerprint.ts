import { createHash } from "node:crypto";
import { toFilterInput, type FilteredContext, type FilterInput, pickPatchedFields, type PrivacyLevel } from "@periscope/privacy";
import { contentFormatOf, type ContextPatch, type ItemMessage, type SyncedContext } from "@periscope/schemas";
import type { CaptureOutcome, PrivacyFilter } from "../privacy/privacy-filter.js";
import { canonicalJson, toMillis } from "../formats.js";

/**
 * What makes a message the same message, as three parts in one text: a hash of what no filter touches (type, time, ids, the level
 * asked for), a hash of the filtered rest, and the policy it was filtered under. Nothing that the filter removes is kept, not even
 * as a hash. `userId`, `extensionId` and unknown fields do not count.
 */
export function fingerprint(message: ItemMessage, body: unknown, policy: string): string {
  return [hash(headOf(message)), hash(body), policy].join(".");
}

/** Stands for a body that was not filtered in time, so that it cannot be compared. */
export const unknownBody: unique symbol = Symbol("unknown body");

/**
 * Whether `message` is the one that was recorded. `body` is what the filter leaves of it at the recorded level; undefined when it
 * cannot be brought to that level. Bodies that cannot be compared, such as those of another policy, do not decide.
 */
export function isSameMessage(recorded: string, message: ItemMessage, filter: PrivacyFilter, body: unknown): boolean {
  const [head, recordedBody, policy] = recorded.split(".");
  if (head !== hash(headOf(message))) return false;
  if (policy !== filter.policyId || body === unknownBody) return true;
  return body !== undefined && recordedBody === hash(body);
}

/**
 * A recorded fingerprint as it may be kept under `policy`. One of another policy loses the hash of its body, since that body may hold
 * what is removed now. The part that no filter touches still recognises the message.
 */
export function keptFingerprint(recorded: string, policy: string): string {
  const [head = "", , recordedPolicy] = recorded.split(".");
  return recordedPolicy === policy ? recorded : `${head}..`;
}

function hash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("base64url");
}

/** The fields of a context that no filter touches: one that is missing in the head does not compile. */
type Unfiltered = Exclude<keyof SyncedContext, keyof FilteredContext | "userId">;

function headOf(message: ItemMessage): unknown {
  const head = [message.type, toMillis(message.timestamp)];
  switch (message.type) {
    case "create":
    case "update": {
      const { id, type, tabId, capturedAt, privacyLevel } = message.payload.context;
      const unfiltered: Record<Unfiltered, unknown> = { id, type, tabId, capturedAt: capturedAt && toMillis(capturedAt), privacyLevel };
      return [...head, unfiltered];
    }
    case "delete":
      return [...head, message.payload.context.id];
    case "heartbeat":
      return [...head, message.payload?.contextId, message.payload?.tabId];
    case "config":
    case "error":
      return head;
  }
}

/** The given fields of a patch, filtered on their own, and the level they came to. */
export interface FilteredPatch {
  level: PrivacyLevel;
  body: object;
  /** True when the patch took too long to filter, so that its body cannot be compared with a recorded one. */
  isWithheld?: true;
}

/**
 * Filters the given fields of a patch on their own, at `level` or above; undefined when they are of a page that is not captured.
 * The stored row plays no part, so a replay has the same fingerprint after the row has changed.
 */
export function filterPatch(patch: ContextPatch, level: PrivacyLevel, filter: PrivacyFilter): FilteredPatch | undefined {
  return filteredPatch(patch, filter.context(patchInput(patch, level)));
}

/** As {@link filterPatch}, for a patch that took too long to filter. */
export function withholdPatch(patch: ContextPatch, filter: PrivacyFilter): FilteredPatch | undefined {
  const filtered = filteredPatch(patch, filter.withhold(patchInput(patch, "restricted")));
  return filtered && { ...filtered, isWithheld: true };
}

function patchInput(patch: ContextPatch, privacyLevel: PrivacyLevel): FilterInput {
  return toFilterInput(patch, { privacyLevel, contentFormat: patch.contentFormat ?? contentFormatOf(patch.content ?? "") });
}

function filteredPatch(patch: ContextPatch, outcome: CaptureOutcome): FilteredPatch | undefined {
  return outcome.captured ? { level: outcome.level, body: pickPatchedFields(patch, outcome.context) } : undefined;
}
