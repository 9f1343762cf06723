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
import { excerptTextOf, isMarkdownAlone, strippedCharsMax } from "../search/plain-text.js";
import { storableText, toMillis, toTimestamp } from "../formats.js";
import type { StoredContext } from "./context.store.js";

/** A context as it was captured, with the contract's defaults filled in, before it is filtered. */
export interface Capture {
  input: FilterInput & { type: ContextType };
  tabId: string;
  capturedAt: number;
}

/** A `create` message's context with its defaults. */
export function toCapture(context: SyncedContext): Capture {
  const { tabMetadata, content = "" } = context;
  const capturedAt = toMillis(context.capturedAt);
  return {
    input: {
      type: context.type,
      url: storableText(context.url ?? tabMetadata.url),
      title: storableText(context.title ?? tabMetadata.title),
      content: storableText(content),
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
export function mergePatch(stored: StoredContext, patch: ContextPatch): Capture {
  const { content } = patch;
  const contentFormat = patch.contentFormat ?? (content === undefined ? stored.contentFormat : contentFormatOf(content));
  return {
    input: {
      type: patch.type ?? stored.type,
      url: storableText(patch.url ?? stored.url),
      title: storableText(patch.title ?? stored.title),
      content: content === undefined ? stored.content : storableText(content),
      contentFormat,
      privacyLevel: patch.privacyLevel ?? stored.privacyLevel,
      tabMetadata: mergeTab(stored.tabMetadata, patch.tabMetadata),
      metadata: patch.metadata ?? stored.metadata,
    },
    tabId: patch.tabId ?? stored.tabId,
    capturedAt: patch.capturedAt === undefined ? stored.capturedAt : toMillis(patch.capturedAt),
  };
}

export function withLevel(capture: Capture, privacyLevel: PrivacyLevel): Capture {
  return { ...capture, input: { ...capture.input, privacyLevel } };
}

export function toStored(
  { input: { type }, tabId, capturedAt }: Capture,
  { context, level }: Captured,
  rest: Pick<
    StoredContext,
    "userId" | "contextId" | "extensionId" | "writtenAt" | "viewedAt" | "lastSeenAt" | "levelReasons" | "plainText"
  >,
): StoredContext {
  const { url, title, content, contentFormat, tabMetadata, metadata } = context;
  return { ...rest, type, tabId, capturedAt, privacyLevel: level, url, title, contentFormat, tabMetadata, metadata, content };
}

/** Why a context has the level that it is stored at: a level that it had before keeps the reasons that it had. */
export function levelReasons(
  before: ReadonlyArray<Pick<StoredContext, "privacyLevel" | "levelReasons">>,
  { level, reasons }: Captured,
): string[] {
  const earlier = before.filter(({ privacyLevel }) => privacyLevel === level).flatMap((each) => each.levelReasons);
  return [...new Set([...earlier, ...reasons])];
}

/** A filtered context's plain text. */
export interface PlainText {
  /** null where it is made from the content when it is needed. */
  stored: Filtered<string> | null;
  indexed: Filtered<string>;
}

/**
 * Makes a filtered context's plain text. It is filtered once more at the context's level: without tags, a label can stand beside a value
 * that it did not stand beside before.
 */
export function plainTextOf(type: ContextType, { context, level }: Captured, filter: PrivacyFilter): PlainText {
  const { contentFormat, content } = context;
  const source = { type, contentFormat, content, plainText: null };
  const plain = excerptTextOf(source);
  if (plain === content) return { stored: null, indexed: content };
  const filtered = filter.textAt(plain, level);
  if (filtered !== plain || content.length > strippedCharsMax) return { stored: filtered, indexed: filtered };
  return { stored: null, indexed: isMarkdownAlone(source) ? content : filtered };
}

/** A record without its undefined fields, as JSON has it. */
function withoutUndefined<T extends object>(record: T): Defined<T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function completeTab(tab: SyncedTabMetadata, capturedAt: number): TabMetadataInput {
  return {
    isActive: true,
    isLoading: false,
    windowId: 0,
    ...withoutUndefined(tab),
    lastUpdated: tab.lastUpdated === undefined ? toTimestamp(capturedAt) : toTimestamp(toMillis(tab.lastUpdated)),
  };
}

function mergeTab(stored: TabMetadata, patch: ContextPatch["tabMetadata"] = {}): TabMetadataInput {
  const merged = { ...withoutUndefined(stored), ...withoutUndefined(patch) };
  return patch.lastUpdated === undefined ? merged : { ...merged, lastUpdated: toTimestamp(toMillis(patch.lastUpdated)) };
}
