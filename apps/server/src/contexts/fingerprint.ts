import { createHash } from "node:crypto";
import type { PrivacyLevel } from "@periscope/privacy";
import { contentFormatOf, type ContextPatch, type ItemMessage } from "@periscope/schemas";
import type { Captured, CaptureOutcome, PrivacyFilter } from "../privacy/privacy-filter.js";
import { canonicalJson, toMillis } from "../formats.js";
import { withoutUndefined } from "./capture.js";

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

function headOf(message: ItemMessage): unknown {
  const head = [message.type, toMillis(message.timestamp)];
  switch (message.type) {
    case "create":
    case "update": {
      const { id, type, tabId, capturedAt, privacyLevel } = message.payload.context;
      return [...head, id, type, tabId, capturedAt && toMillis(capturedAt), privacyLevel];
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
  body: Record<string, unknown>;
  /** True when the patch took too long to filter, so that its body cannot be compared with a recorded one. */
  isWithheld?: true;
}

// For a patch without a URL. It belongs to no category.
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", url: anyUrl, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

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

function patchInput({ type, url, title, tabMetadata, metadata, content = "", contentFormat }: ContextPatch, level: PrivacyLevel) {
  return {
    type: type ?? "page",
    url: url ?? tabMetadata?.url ?? anyUrl,
    title: title ?? "",
    content,
    contentFormat: contentFormat ?? contentFormatOf(content),
    privacyLevel: level,
    tabMetadata: { ...emptyTab, ...withoutUndefined(tabMetadata ?? {}) },
    metadata: metadata ?? {},
  };
}

function filteredPatch(patch: ContextPatch, outcome: CaptureOutcome): FilteredPatch | undefined {
  return outcome.captured ? { level: outcome.level, body: givenFields(patch, outcome) } : undefined;
}

function givenFields(patch: ContextPatch, { context }: Captured): Record<string, unknown> {
  const { contentFormat, tabMetadata } = patch;
  const given = (["url", "title", "content", "metadata"] as const).filter((field) => patch[field] !== undefined);
  return {
    contentFormat,
    ...Object.fromEntries(given.map((field) => [field, context[field]])),
    tabMetadata: tabMetadata && pick(context.tabMetadata, Object.keys(tabMetadata)),
  };
}

function pick(record: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}
