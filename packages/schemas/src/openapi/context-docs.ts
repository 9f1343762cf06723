import { ContentFormat, Context, ContextType, CurrentQuery, DeleteQuery, GetQuery, Metadata, TabMetadata } from "../context.js";
import { ContextId } from "../ids.js";
import { limits } from "../limits.js";
import { PrivacyLevel, Redactions } from "../privacy-level.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";
import { optionalTabFields } from "./tab-fields.js";

const metadataText = `A flat JSON object of strings, numbers and booleans that the sender attaches; searched beside the text. At most ${limits.metadataBytesMax} bytes of JSON.`;

export const contextDocs: readonly SchemaDoc[] = [
  describe(ContextType, {
    id: "ContextType",
    description: "What part of a page a context is a snapshot of.",
    examples: ["page"],
    values: {
      page: "the whole page",
      selection: "what the user selected",
      element: "one element of the page",
      form: "a form; its content is a JSON array of `{name, type, label?, autocomplete?, filled, value?}`",
      media: "an image, a video or a sound",
      navigation: "a move from one page to another",
      custom: "anything else that the sender captures",
    },
  }),
  describe(ContentFormat, {
    id: "ContentFormat",
    description: "How `content` is written.",
    examples: ["text"],
    values: { text: "plain text", html: "HTML", markdown: "Markdown" },
  }),
  describe(PrivacyLevel, {
    id: "PrivacyLevel",
    description: "How much of a context is kept, in rising order of strictness.",
    examples: ["private"],
    values: {
      public: "the page as captured, without secrets (passwords, tokens, keys, card numbers), which no level keeps",
      private: "also without financial and government identifiers; the default",
      filtered: "also without every other identifier that the filter finds; HTML reduced to text, form values dropped",
      restricted: "only that the user was there: origin, times and tab state",
    },
  }),
  describe(Redactions, {
    id: "Redactions",
    description: "What the privacy filter removed, as counts per kind; never a removed value.",
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
      isActive: "Whether the tab was the one in front in its window.",
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
      },
    ],
    fields: {
      contextId: "Identifier of this snapshot.",
      userId: "The user who generated it.",
      type: "What part of the page it is a snapshot of.",
      url: { description: "Address of the page.", examples: [sample.url] },
      title: { description: "Title of the page.", examples: [sample.title] },
      content: {
        description:
          "Extracted page content: text, HTML or Markdown, as `contentFormat` says. Whole, or the part that `maxChars` and `contentCursor` ask for.",
        examples: [sample.content],
      },
      contentFormat: "How `content` is written.",
      tabId: "The browser tab it was captured in.",
      extensionId: "The extension instance that sent it.",
      timestamp: "When it was captured.",
      privacyLevel: "The level in force: the one asked for, or a stricter one that the filter chose.",
      tabMetadata: "State of the tab at capture time.",
      metadata: { description: metadataText, examples: [{ readingSeconds: 74 }] },
      viewedAt: "When the person last looked at it; absent for a page that was captured in the background and never viewed.",
      lastSeenAt: "Time of the last heartbeat that names it; absent when there was none.",
      nextContentCursor: {
        description: "There while the content goes on past this part: send it as `contentCursor` for the next one.",
      },
    },
  }),
];

const contentWindow = {
  maxChars: {
    description: `The most UTF-16 units of \`content\` to answer, 1 to ${limits.maxCharsMax}; never splits a surrogate pair. When there is more, the answer has \`nextContentCursor\`. Without it the content comes whole.`,
    examples: [4_000],
  },
  contentCursor: {
    description: "Where to go on reading `content`: the `nextContentCursor` of the answer before. Opaque.",
  },
};

const contextIdParameter = { description: "Identifier of the context.", examples: [sample.contextId], documentedAs: ContextId };

export const contextParameterDocs: readonly ParameterDocs[] = [
  describeParameters(CurrentQuery, {
    tabId: { description: "Only contexts of this tab.", examples: [sample.tabId] },
    extensionId: {
      description: "Only contexts of this extension instance: one of several devices of a user.",
      examples: [sample.extensionId],
    },
    ...contentWindow,
  }),
  describeParameters(GetQuery, { contextId: contextIdParameter, ...contentWindow }),
  describeParameters(DeleteQuery, { contextId: contextIdParameter }),
];
