import * as z from "zod/mini";
import { ContextId, ExtensionId, TabId, UserId } from "./ids.js";
import { fitsUtf8 } from "./text.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { Timestamp } from "./timestamp.js";

/** What part of a page a context is a snapshot of. */
export const ContextType = z.enum(["page", "selection", "element", "form", "media", "navigation", "custom"]);
export type ContextType = z.infer<typeof ContextType>;

/** How `content` is written. */
export const ContentFormat = z.enum(["text", "html", "markdown"]);
export type ContentFormat = z.infer<typeof ContentFormat>;

/** State of the browser tab at capture time. */
export const TabMetadata = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  isActive: z.boolean(),
  isLoading: z.boolean(),
  windowId: z.number(),
  lastUpdated: Timestamp,
  incognito: z.optional(z.boolean()),
  pinned: z.optional(z.boolean()),
  audible: z.optional(z.boolean()),
  referrer: z.optional(z.string()),
  favIconUrl: z.optional(z.string()),
  openerTabId: z.optional(z.string()),
  lang: z.optional(z.string()),
});
export type TabMetadata = z.infer<typeof TabMetadata>;

const jsonFits = (bytesMax: number) => (value: unknown) => fitsUtf8(JSON.stringify(value), bytesMax);

/** {@link Metadata} of at most so many bytes. */
export const metadataUpTo = (bytesMax: number) =>
  z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()], "must be a string, a number or a boolean"))
    .check(z.refine(jsonFits(bytesMax), `must be at most ${bytesMax} bytes of JSON`));

/** A flat JSON object that the sender attaches to a context; searched beside its text. At most 16 KiB. */
export const Metadata = metadataUpTo(limits.metadataBytesMax);
export type Metadata = z.infer<typeof Metadata>;

/** Whether `value` as JSON takes at most 16 KiB, the bound of `tabMetadata`. */
export const fitsTabMetadata: (value: unknown) => boolean = jsonFits(limits.tabMetadataBytesMax);

/** A stored snapshot of what a user was viewing: the answer of `GET /context/current` and `GET /context/{contextId}`. */
export const Context = z.object({
  contextId: ContextId,
  userId: UserId,
  type: ContextType,
  url: z.string(),
  title: z.string(),
  content: z.string(),
  contentFormat: ContentFormat,
  tabId: TabId,
  extensionId: ExtensionId,
  timestamp: Timestamp,
  privacyLevel: PrivacyLevel,
  tabMetadata: TabMetadata,
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  viewedAt: z.optional(Timestamp),
  lastSeenAt: z.optional(Timestamp),
  nextContentCursor: z.optional(z.string()),
});
export type Context = z.infer<typeof Context>;

const window = {
  maxChars: z.optional(z.int().check(z.minimum(1), z.maximum(limits.maxCharsMax))),
  contentCursor: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
};

/** Query of `GET /context/current`. */
export const CurrentQuery = z.object({ tabId: z.optional(TabId), extensionId: z.optional(ExtensionId), ...window });
export type CurrentQuery = z.infer<typeof CurrentQuery>;

/** Path and query of `GET /context/{contextId}`. */
export const GetQuery = z.object({ contextId: z.string(), ...window });
export type GetQuery = z.infer<typeof GetQuery>;

/** Path of `DELETE /context/{contextId}`. */
export const DeleteQuery = z.object({ contextId: z.string() });
export type DeleteQuery = z.infer<typeof DeleteQuery>;
