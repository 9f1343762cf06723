import { ContentFormat, Context, ContextType, CurrentQuery, DeleteQuery, GetQuery, Metadata, TabMetadata } from "../context.js";
import { ContextId } from "../ids.js";
import { limits } from "../limits.js";
import { PrivacyLevel, Redactions } from "../privacy-level.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";
import { optionalTabFields } from "./tab-fields.js";

const metadataText = `A flat JSON object of strings, numbers and booleans, attached by the sender. It is searched too. At most ${limits.metadataBytesMax} bytes of JSON.`;

export const contextDocs: readonly SchemaDoc[] = [
  describe(ContextType, {
    id: "ContextType",
    description: "What a context is a snapshot of.",
    examples: ["page"],
    values: {
      page: "the whole page",
      selection: "the text that the user selected",
      element: "one element of the page",
      form: "a form; its content is a JSON array of `{name, type, label?, autocomplete?, filled, value?}`",
      media: "an image, a video or audio",
      navigation: "a navigation from one page to another",
      custom: "anything else that the sender captures",
    },
  }),
  describe(ContentFormat, {
    id: "ContentFormat",
    description: "The format of `content`.",
    examples: ["text"],
    values: { text: "plain text", html: "HTML", markdown: "Markdown" },
  }),
  describe(PrivacyLevel, {
    id: "PrivacyLevel",
    description: "How much of a context is stored, from the loosest to the strictest level.",
    examples: ["private"],
    values: {
      public: "the page as captured, without secrets (passwords, tokens, keys, card numbers), which are never stored",
      private: "also without financial and government identifiers; this is the default",
      filtered: "also without all other identifiers that the filter finds; HTML becomes text, form values are dropped",
      restricted: "only the visit: origin, times and tab state",
    },
  }),
  describe(Redactions, {
    id: "Redactions",
    description: "What the privacy filter removed: a count for each kind, never a removed value.",
    examples: [{ email: 2, card: 1 }],
  }),
  describe(Metadata, {
    id: "Metadata",
    description: metadataText,
    examples: [{ readingSeconds: 74, project: "storage", truncated: false }],
  }),
  describe(TabMetadata, {
    id: "TabMetadata",
    description: "State of the browser tab at capture time, filtered for privacy.",
    examples: [
      {
        id: sample.tabId,
        url: sample.url,
        title: sample.title,
        isActive: true,
        isLoading: false,
        windowId: 1,
        lastUpdated: sample.capturedAt,
      },
    ],
    fields: {
      id: { description: "The tab's identifier.", examples: [sample.tabId] },
      url: { description: "The tab's address.", examples: [sample.url] },
      title: { description: "The tab's title.", examples: [sample.title] },
      isActive: "Whether the tab was the active one in its window.",
      isLoading: "Whether the tab was still loading.",
      windowId: { description: "Number of the browser window that held the tab.", examples: [1] },
      lastUpdated: "When this state was read.",
      ...optionalTabFields,
    },
  }),
  describe(Context, {
    id: "Context",
    description: "A stored snapshot of what a user was viewing in a browser tab, filtered for privacy before it was stored.",
    examples: [
      {
        contextId: sample.contextId,
        userId: sample.userId,
        type: "page",
        url: sample.url,
        title: sample.title,
        content: sample.content,
        contentFormat: "text",
        tabId: sample.tabId,
        extensionId: sample.extensionId,
        timestamp: sample.capturedAt,
        privacyLevel: "private",
        tabMetadata: {
          id: sample.tabId,
          url: sample.url,
          title: sample.title,
          isActive: true,
          isLoading: false,
          windowId: 1,
          lastUpdated: sample.capturedAt,
        },
        metadata: { readingSeconds: 74 },
        viewedAt: sample.capturedAt,
        lastSeenAt: sample.capturedAt,
      },
    ],
    fields: {
      contextId: "Identifier of this snapshot.",
      userId: "The user it belongs to.",
      type: "What it is a snapshot of.",
      url: { description: "Address of the page.", examples: [sample.url] },
      title: { description: "Title of the page.", examples: [sample.title] },
      content: {
        description:
          "Extracted page content, in the format of `contentFormat`. Whole, or the part selected by `maxChars` and `contentCursor`.",
        examples: [sample.content],
      },
      contentFormat: "The format of `content`.",
      tabId: "The browser tab it was captured in.",
      extensionId: "The extension instance that sent it.",
      timestamp: "When it was captured.",
      privacyLevel: "The effective level: the requested one, or a stricter one chosen by the filter.",
      tabMetadata: "State of the tab at capture time.",
      metadata: { description: metadataText, examples: [{ readingSeconds: 74 }] },
      viewedAt: "When the person last looked at it; absent for a page that was captured in the background and never viewed.",
      lastSeenAt: "The later of `viewedAt` and the last heartbeat that names it; absent if there was neither.",
      nextContentCursor: {
        description: "Present while there is more content. Send it as `contentCursor` to get the next part.",
      },
    },
  }),
];

const contentWindow = {
  maxChars: {
    description: `Maximum length of \`content\` in UTF-16 units, 1 to ${limits.maxCharsMax}. Surrogate pairs are never split. If there is more, the answer has \`nextContentCursor\`. Default: the whole content.`,
    examples: [4_000],
  },
  contentCursor: {
    description: "Where to continue reading `content`: the `nextContentCursor` of the previous answer. Opaque.",
  },
};

const contextIdParameter = { description: "Identifier of the context.", examples: [sample.contextId], documentedAs: ContextId };

export const contextParameterDocs: readonly ParameterDocs[] = [
  describeParameters(CurrentQuery, {
    tabId: { description: "Only contexts of this tab.", examples: [sample.tabId] },
    extensionId: {
      description: "Only contexts of this extension instance, which means of one device.",
      examples: [sample.extensionId],
    },
    ...contentWindow,
  }),
  describeParameters(GetQuery, { contextId: contextIdParameter, ...contentWindow }),
  describeParameters(DeleteQuery, { contextId: contextIdParameter }),
];
