import { createHash } from "node:crypto";
import type { PrivacyLevel } from "@periscope/privacy";
import { contentFormatOf, type ContextPatch, type ItemMessage } from "@periscope/schemas";
import type { Captured, PrivacyFilter } from "../privacy/privacy-filter.js";
import { canonicalJson } from "../canonical-json.js";
import { definedOf } from "./capture.js";
import { toMillis } from "../timestamps.js";

/**
 * What makes a message the same message, as three parts in one text: a hash of what no filter touches (type, time, ids, the level
 * asked for), a hash of the filtered rest, and the policy it was filtered under. Nothing the filter removes is kept, not even
 * as a hash. `userId`, `extensionId` and unknown fields do not count.
 */
export function fingerprint(message: ItemMessage, body: unknown, policy: string): string {
  return [hash(headOf(message)), hash(body), policy].join(".");
}

/**
 * Whether `message` is the one that was recorded. `body` is what the filter leaves of it at the recorded level, undefined when it
 * cannot be brought to that level. Where the policy has changed since, bodies cannot be compared, and the part that no filter
 * touches decides.
 */
export function isSameMessage(recorded: string, message: ItemMessage, filter: PrivacyFilter, body: unknown): boolean {
  const [head, recordedBody, policy] = recorded.split(".");
  if (head !== hash(headOf(message))) return false;
  return policy !== filter.policy || (body !== undefined && recordedBody === hash(body));
}

/**
 * A recorded fingerprint as it may be kept under `policy`: one of another policy loses the hash of its body, which may hold what is
 * removed now. Such a message is recognised by the part that no filter touches, under whatever policy.
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

/** A patch as the filter leaves it on its own, at the level that it came to. */
export interface FilteredPatch {
  level: PrivacyLevel;
  body: Record<string, unknown>;
}

// Stands in for the URL that a patch leaves out; belongs to no category.
const anyUrl = "https://patch.invalid/";
const emptyTab = { id: "", url: anyUrl, title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" };

/**
 * The given fields of a patch, filtered on their own at `level` or above; undefined when they are of a page that is not captured.
 * The row that they are merged into plays no part, so a replay counts the same after the row has changed.
 */
export function filterPatch(patch: ContextPatch, level: PrivacyLevel, filter: PrivacyFilter): FilteredPatch | undefined {
  const { tabMetadata, metadata, content } = patch;
  const outcome = filter.context({
    type: patch.type ?? "page",
    url: patch.url ?? tabMetadata?.url ?? anyUrl,
    title: patch.title ?? "",
    content: content ?? "",
    contentFormat: patch.contentFormat ?? contentFormatOf(content ?? ""),
    privacyLevel: level,
    tabMetadata: {
      ...emptyTab,
      ...definedOf(tabMetadata ?? {}),
    },
    metadata: metadata ?? {},
  });
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
