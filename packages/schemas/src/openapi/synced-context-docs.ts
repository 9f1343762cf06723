import { CaptureUrl } from "../capture-url.js";
import { limits } from "../limits.js";
import { ContextPatch, ContextReference, SyncedContext, SyncedTabMetadata } from "../synced-context.js";
import { sample } from "./example-values.js";
import { describe, type SchemaDoc } from "./schema-doc.js";
import { optionalTabFields } from "./tab-fields.js";

const ahead = "At most 24 hours ahead of the server's clock.";

const title = {
  description: `Title of the page, at most ${limits.titleBytesMax} bytes of UTF-8.`,
  examples: [sample.title],
  keywords: { maxLength: limits.titleBytesMax },
};

const tabFields = {
  id: "The tab's identifier.",
  url: "The tab's address.",
  title: { ...title, description: `The tab's title, at most ${limits.titleBytesMax} bytes of UTF-8.` },
  isActive: "Whether the tab is the active one in its window. Default: true.",
  isLoading: "Whether the tab is still loading. Default: false.",
  windowId: { description: "Number of the browser window that holds the tab. Default: 0.", examples: [1] },
  lastUpdated: "When this state was read. Default: `capturedAt`.",
  ...optionalTabFields,
};

const content = (fallback: string) => ({
  description: `Extracted page content, at most ${limits.contentBytesMax} bytes of UTF-8.${fallback}`,
  examples: [sample.content],
  keywords: { maxLength: limits.contentBytesMax },
});

const contentFormat = "Format of `content`. Default: `html` if it starts with a tag, a doctype or a comment, else `text`.";

const owner = "Must be the key's user, else `forbidden`. Default: the key's user.";

export const syncedContextDocs: readonly SchemaDoc[] = [
  describe(CaptureUrl, {
    id: "CaptureUrl",
    description: `Address of a page: absolute, \`http\`, \`https\` or \`file\`, at most ${limits.urlBytesMax} bytes of UTF-8. Browser and extension pages (\`about:\`, \`chrome:\`, …) are rejected with \`privacy_rejected\`.`,
    examples: [sample.url],
    keywords: { format: "uri", maxLength: limits.urlBytesMax },
  }),
  describe(SyncedTabMetadata, {
    id: "SyncedTabMetadata",
    description: `State of the browser tab. At most ${limits.tabMetadataBytesMax} bytes of JSON.`,
    examples: [{ id: sample.tabId, url: sample.url, title: sample.title }],
    fields: tabFields,
  }),
  describe(SyncedContext, {
    id: "SyncedContext",
    description: "The context of a `create` message.",
    examples: [
      {
        id: sample.contextId,
        type: "page",
        tabId: sample.tabId,
        capturedAt: sample.capturedAt,
        content: sample.content,
        contentFormat: "text",
        privacyLevel: "private",
        tabMetadata: { id: sample.tabId, url: sample.url, title: sample.title, isActive: true, windowId: 1 },
        metadata: { readingSeconds: 74 },
      },
    ],
    fields: {
      id: "Identifier of the context. Default: a new one, returned as `contextId`.",
      type: "What it is a snapshot of.",
      tabId: "The browser tab it was captured in.",
      capturedAt: `When it was captured. ${ahead}`,
      tabMetadata: "State of the tab at capture time.",
      userId: owner,
      url: "Address of the page. Default: that of `tabMetadata`.",
      title: { ...title, description: `${title.description} Default: that of \`tabMetadata\`.` },
      content: content(' Default: `""`.'),
      contentFormat,
      privacyLevel: "How much to store. The filter may choose a stricter level, never a looser one. Default: `private`.",
      metadata: "Data to store with the context. Default: none.",
    },
  }),
  describe(ContextPatch, {
    id: "ContextPatch",
    description:
      "The context of an `update` message: its `id` and the fields to change. Other fields stay. `tabMetadata` is merged field by field.",
    examples: [{ id: sample.contextId, title: "Write-Ahead Logging (SQLite)", metadata: { readingSeconds: 131 } }],
    fields: {
      id: "Identifier of the context to change.",
      type: "What it is a snapshot of.",
      tabId: "The browser tab it was captured in.",
      capturedAt: `When it was captured. ${ahead}`,
      tabMetadata: {
        description: `The fields of the tab that changed. At most ${limits.tabMetadataBytesMax} bytes of JSON.`,
        fields: patchOf(tabFields),
      },
      userId: owner,
      url: "Address of the page.",
      title,
      content: content(""),
      contentFormat: "Format of `content`. Default: detected as in a `create`.",
      privacyLevel: "How much to store. A looser level than the stored one has no effect.",
      metadata: "Replaces the stored metadata.",
    },
  }),
  describe(ContextReference, {
    id: "ContextReference",
    description: "The context of a `delete` message.",
    examples: [{ id: sample.contextId }],
    fields: { id: "Identifier of the context to delete.", userId: owner },
  }),
];

/** Patches have no defaults: fields that are left out stay as they are. */
function patchOf(fields: typeof tabFields): typeof tabFields {
  return {
    ...fields,
    isActive: "Whether the tab is the active one in its window.",
    isLoading: "Whether the tab is still loading.",
    windowId: { ...fields.windowId, description: "Number of the browser window that holds the tab." },
    lastUpdated: "When this state was read.",
  };
}
