import { ContextId, ExtensionId, MessageId, reservedContextIds, SentContextId, TabId, UserId } from "../ids.js";
import { limits } from "../limits.js";
import { Timestamp } from "../timestamp.js";
import { sample } from "./example-values.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

const opaque = `1 to ${limits.idCharsMax} characters of well-formed Unicode without NUL.`;

export const idsDocs: readonly SchemaDoc[] = [
  describe(ContextId, {
    id: "ContextId",
    description: `Identifier of a context, unique for each user: the sender's own \`id\`, or \`ctx_\` and a ULID made by the server.`,
    examples: [sample.contextId],
  }),
  describe(SentContextId, {
    id: "SentContextId",
    description: `Identifier of a context in what is sent. Reserved, and refused: ${reservedContextIds.map((id) => `\`${id}\``).join(", ")}.`,
    examples: [sample.contextId],
  }),
  describe(UserId, {
    id: "UserId",
    description: "Identifier of a user: `usr_` and a ULID, or an id that the operator chose.",
    examples: [sample.userId],
  }),
  describe(MessageId, {
    id: "MessageId",
    description: `Identifier of a message, unique for each user and extension instance. Sending the same message again changes nothing. ${opaque}`,
    examples: [sample.messageId],
  }),
  describe(ExtensionId, {
    id: "ExtensionId",
    description: `Identifier of one installation of a browser extension. ${opaque}`,
    examples: [sample.extensionId],
  }),
  describe(TabId, {
    id: "TabId",
    description: `Identifier of a browser tab, chosen by the extension. ${opaque}`,
    examples: [sample.tabId],
  }),
  describe(Timestamp, {
    id: "Timestamp",
    description:
      "A point in time: RFC 3339 / ISO 8601 with an offset, in the years 0000 to 9999. Any offset is accepted; answers are in UTC with millisecond precision.",
    examples: [sample.capturedAt, "2026-01-31T13:34:56+01:00"],
  }),
];
