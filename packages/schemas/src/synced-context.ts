import * as z from "zod/mini";
import { CaptureUrl } from "./capture-url.js";
import { ContentFormat, ContextType, Metadata, fitsTabMetadata } from "./context.js";
import { SentContextId, TabId, UserId } from "./ids.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

const boundedText = (bytesMax: number) =>
  z.string().check(z.refine((text) => fitsUtf8(text, bytesMax), `must be at most ${bytesMax} bytes of UTF-8`));

const Title = boundedText(limits.titleBytesMax);
const Content = boundedText(limits.contentBytesMax);

const optionalTabFields = {
  isActive: z.optional(z.boolean()),
  isLoading: z.optional(z.boolean()),
  windowId: z.optional(z.number()),
  lastUpdated: z.optional(Timestamp),
  incognito: z.optional(z.boolean()),
  pinned: z.optional(z.boolean()),
  audible: z.optional(z.boolean()),
  referrer: z.optional(z.string()),
  favIconUrl: z.optional(z.string()),
  openerTabId: z.optional(TabId),
  lang: z.optional(z.string()),
};

const tabMetadataBound = z.refine(fitsTabMetadata, `must be at most ${limits.tabMetadataBytesMax} bytes of JSON`);

/** Tab state as it is sent: `id`, `url` and `title` are required, the rest has defaults. */
export const SyncedTabMetadata = z.object({ id: TabId, url: CaptureUrl, title: Title, ...optionalTabFields }).check(tabMetadataBound);
export type SyncedTabMetadata = z.infer<typeof SyncedTabMetadata>;

const optionalContextFields = {
  userId: z.optional(UserId),
  url: z.optional(CaptureUrl),
  title: z.optional(Title),
  content: z.optional(Content),
  contentFormat: z.optional(ContentFormat),
  privacyLevel: z.optional(PrivacyLevel),
  metadata: z.optional(Metadata),
};

/**
 * A context as a `create` message carries it.
 * Defaults: `url` and `title` those of `tabMetadata`, `content` `""`, `privacyLevel` `private`, `id` made by the server.
 */
export const SyncedContext = z.object({
  id: z.optional(SentContextId),
  type: ContextType,
  tabId: TabId,
  capturedAt: Timestamp,
  tabMetadata: SyncedTabMetadata,
  ...optionalContextFields,
});
export type SyncedContext = z.infer<typeof SyncedContext>;

/** A context as an `update` message carries it: its `id` and the fields to change; `tabMetadata` is merged field by field. */
export const ContextPatch = z.object({
  id: SentContextId,
  type: z.optional(ContextType),
  tabId: z.optional(TabId),
  capturedAt: z.optional(Timestamp),
  tabMetadata: z.optional(
    z
      .object({ id: z.optional(TabId), url: z.optional(CaptureUrl), title: z.optional(Title), ...optionalTabFields })
      .check(tabMetadataBound),
  ),
  ...optionalContextFields,
});
export type ContextPatch = z.infer<typeof ContextPatch>;

/** A context as a `delete` message carries it. */
export const ContextReference = z.object({ id: SentContextId, userId: z.optional(UserId) });
export type ContextReference = z.infer<typeof ContextReference>;
