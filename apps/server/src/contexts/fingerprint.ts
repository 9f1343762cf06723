import { createHash } from "node:crypto";
import type { ContextPatch, ItemMessage } from "@periscope/schemas";
import type { PrivacyFilter } from "../deps.js";
import { canonicalJson } from "./canonical-json.js";
import { type Capture, definedOf, type Filtered, formatOf } from "./capture.js";
import { toMillis } from "./timestamps.js";

/**
 * SHA-256 of what makes a message the same message: type, timestamp and payload as canonical JSON, after filtering,
 * so that nothing the filter removes is kept even as a hash. Ids, `userId` and unknown fields do not count.
 */
export function fingerprint(message: ItemMessage, filteredPayload: unknown): string {
  const canonical = canonicalJson([message.type, toMillis(message.timestamp), filteredPayload]);
  return createHash("sha256").update(canonical).digest("hex");
}

/** What a `create` message counts with: the context as filtered, its own id, and the level that was asked for. */
export function createPayload(id: string | undefined, capture: Capture, filtered: Filtered): unknown {
  const { type, privacyLevel } = capture.input;
  return { id, type, tabId: capture.tabId, capturedAt: capture.capturedAt, asked: privacyLevel, ...filtered.context };
}

// Stands in for the URL that a patch leaves out; belongs to no category.
const anyUrl = "https://patch.invalid/";

/**
 * What an `update` message counts with: the given fields, filtered on their own at `level`. The row that they are
 * merged into plays no part, so a replay counts the same after the row has changed.
 */
export function patchPayload(patch: ContextPatch, level: Filtered["level"], filter: PrivacyFilter): unknown {
  const { id, tabMetadata, metadata, content } = patch;
  const outcome = filter.context({
    type: patch.type ?? "page",
    url: patch.url ?? anyUrl,
    title: patch.title ?? "",
    content: content ?? "",
    contentFormat: patch.contentFormat ?? formatOf(content ?? ""),
    privacyLevel: level,
    tabMetadata: {
      id: "",
      url: anyUrl,
      title: "",
      isActive: true,
      isLoading: false,
      windowId: 0,
      lastUpdated: "",
      ...definedOf(tabMetadata ?? {}),
    },
    metadata: metadata ?? {},
  });
  if (!outcome.captured) return { id };
  const { context } = outcome;
  const given = <T>(wanted: unknown, value: T): T | undefined => (wanted === undefined ? undefined : value);
  return {
    id,
    type: patch.type,
    tabId: patch.tabId,
    capturedAt: given(patch.capturedAt, toMillis(patch.capturedAt ?? "")),
    asked: patch.privacyLevel,
    contentFormat: patch.contentFormat,
    url: given(patch.url, context.url),
    title: given(patch.title, context.title),
    content: given(content, context.content),
    metadata: given(metadata, context.metadata),
    tabMetadata: tabMetadata && pick(context.tabMetadata, Object.keys(tabMetadata)),
  };
}

function pick(record: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => keys.includes(key)));
}
