import type { FilterInput, PrivacyLevel, TabMetadataInput } from "@periscope/privacy";
import {
  contentFormatOf,
  type ContextPatch,
  type ContextType,
  type SyncedContext,
  type SyncedTabMetadata,
  type TabMetadata,
} from "@periscope/schemas";
import type { Captured, Filtered, PrivacyFilter } from "../privacy/privacy-filter.js";
import { excerptTextOf, plainTextOf } from "../search/plain-text.js";
import { searchDocument } from "../search/search-document.js";
import type { StoredContext } from "./context.store.js";
import { storable } from "./storable.js";
import type { WrittenContext } from "./sync.store.js";
import { toMillis, toTimestamp } from "../timestamps.js";

/** A context as it was captured, with the contract's defaults filled in, before it is filtered. */
export interface Capture {
  input: FilterInput & { type: ContextType };
  tabId: string;
  capturedAt: number;
}

/** A `create` message's context with its defaults. */
export function captureOf(context: SyncedContext): Capture {
  const { tabMetadata, content = "" } = context;
  const capturedAt = toMillis(context.capturedAt);
  return {
    input: {
      type: context.type,
      url: storable(context.url ?? tabMetadata.url),
      title: storable(context.title ?? tabMetadata.title),
      content: storable(content),
      contentFormat: context.contentFormat ?? contentFormatOf(content),
      privacyLevel: context.privacyLevel ?? "private",
      tabMetadata: completeTab(tabMetadata, capturedAt),
      metadata: context.metadata ?? {},
    },
    tabId: context.tabId,
    capturedAt,
  };
}

/** A stored context with a patch's fields in place; `tabMetadata` is merged field by field. */
export function mergedCapture(stored: StoredContext, patch: ContextPatch): Capture {
  const { content } = patch;
  const contentFormat = patch.contentFormat ?? (content === undefined ? stored.contentFormat : contentFormatOf(content));
  return {
    input: {
      type: patch.type ?? stored.type,
      url: storable(patch.url ?? stored.url),
      title: storable(patch.title ?? stored.title),
      content: content === undefined ? stored.content : storable(content),
      contentFormat,
      privacyLevel: patch.privacyLevel ?? stored.privacyLevel,
      tabMetadata: mergedTab(stored.tabMetadata, patch.tabMetadata),
      metadata: patch.metadata ?? stored.metadata,
    },
    tabId: patch.tabId ?? stored.tabId,
    capturedAt: patch.capturedAt === undefined ? stored.capturedAt : toMillis(patch.capturedAt),
  };
}

/** The row for a filtered capture. */
export function toStored(
  capture: Capture,
  { context, level }: Captured,
  rest: Pick<WrittenContext, "userId" | "contextId" | "extensionId" | "writtenAt" | "lastSeenAt" | "plainText" | "search">,
): WrittenContext {
  const { type } = capture.input;
  return {
    ...rest,
    type,
    tabId: capture.tabId,
    capturedAt: capture.capturedAt,
    privacyLevel: level,
    contentFormat: context.contentFormat,
    url: context.url,
    title: context.title,
    tabMetadata: context.tabMetadata,
    metadata: context.metadata,
    content: context.content,
  };
}

/**
 * A filtered context's text as it is searched and excerpted; null where the content stands for itself. Filtered anew at the context's
 * level: without tags a label stands beside a value that it did not stand beside before.
 */
export function searchedText(type: ContextType, { context, level }: Captured, filter: PrivacyFilter): Filtered<string> | null {
  const { contentFormat, content } = context;
  const plain = plainTextOf(type, contentFormat, content);
  if (plain !== null) return filter.textAt(plain, level);
  const excerpt = excerptTextOf(contentFormat, content);
  if (excerpt === content) return null;
  const filtered = filter.textAt(excerpt, level);
  return filtered === excerpt ? null : filtered;
}

/** What searching adds to a context. */
export type SearchParts = Required<Pick<WrittenContext, "plainText" | "search">>;

/** The text of a filtered capture and its place in the search index: much of the work of a sync. */
export function searchPartsOf({ input: { type }, capturedAt }: Capture, captured: Captured, filter: PrivacyFilter): SearchParts {
  const { context, level } = captured;
  const plainText = searchedText(type, captured, filter);
  return { plainText, search: searchDocument({ ...context, type, privacyLevel: level, capturedAt, plainText }) };
}

/** Level that neither lowers what is stored nor what the filter found. */
export function withLevel(capture: Capture, privacyLevel: PrivacyLevel): Capture {
  return { ...capture, input: { ...capture.input, privacyLevel } };
}

function completeTab(tab: SyncedTabMetadata, capturedAt: number): TabMetadataInput {
  return {
    isActive: true,
    isLoading: false,
    windowId: 0,
    ...definedOf(tab),
    lastUpdated: tab.lastUpdated === undefined ? toTimestamp(capturedAt) : toTimestamp(toMillis(tab.lastUpdated)),
  };
}

function mergedTab(stored: TabMetadata, patch: ContextPatch["tabMetadata"] = {}): TabMetadataInput {
  const merged = { ...definedOf(stored), ...definedOf(patch) };
  return patch.lastUpdated === undefined ? merged : { ...merged, lastUpdated: toTimestamp(toMillis(patch.lastUpdated)) };
}

/** A record without its undefined fields, as JSON has it. */
type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

export function definedOf<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}
