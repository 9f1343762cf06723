import { limits } from "../limits.js";
import {
  ConfigMessage,
  ConfigPayload,
  CreateMessage,
  CreatePayload,
  DeleteMessage,
  DeletePayload,
  ErrorMessage,
  ErrorPayload,
  HeartbeatMessage,
  HeartbeatPayload,
  ItemMessage,
  MessageType,
  UpdateMessage,
  UpdatePayload,
} from "../sync-message.js";
import { messageExamples, payloadExamples } from "./message-examples.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

const operation = "Repeats the message's `type`; may be left out, may not differ.";
const variant = "Name of the payload variant; may be left out.";
const bound = `At most ${limits.payloadBytesMax} bytes of JSON.`;
const freeForm = `Any JSON, nested at most ${limits.payloadDepthMax} levels deep.`;

const head = {
  id: "Identifier of the message. The same message sent again under it, within 7 days, changes nothing and answers the same with `duplicate: true`.",
  type: "The operation.",
  timestamp: "When the message was created; the newer of two writes to a context wins. At most 24 hours ahead of the server's clock.",
  userId: "The key's user; any other is refused (`forbidden`). Leave it out to use that.",
  extensionId: "The extension instance that sends it. Default: that of the batch envelope, else `default`.",
};

export const syncMessageDocs: readonly SchemaDoc[] = [
  describe(MessageType, {
    id: "MessageType",
    description: "Operation of a message.",
    examples: ["create"],
    values: {
      create: "stores a context; scope `write`",
      update: "changes fields of a context; scope `write`",
      delete: "removes a context; scope `delete`",
      heartbeat: "says that the extension instance is alive and, with a context id, that the context is still viewed; scope `write`",
      batch: "carries up to 100 other messages; each needs its own scope",
      config: "keeps the newest settings of the extension instance; scope `write`",
      error: "reports something that went wrong in the extension; scope `write`",
    },
  }),
  describe(CreatePayload, {
    id: "CreatePayload",
    description: "Payload of `create`: a whole context.",
    examples: [payloadExamples.create],
    fields: { type: variant, operation, context: "The context to store." },
  }),
  describe(UpdatePayload, {
    id: "UpdatePayload",
    description: "Payload of `update`: a context's id and the fields to change.",
    examples: [payloadExamples.update],
    fields: { type: variant, operation, context: "The id and what to change." },
  }),
  describe(DeletePayload, {
    id: "DeletePayload",
    description: "Payload of `delete`: a context's id.",
    examples: [payloadExamples.delete],
    fields: { type: variant, operation, context: "The context to delete." },
  }),
  describe(HeartbeatPayload, {
    id: "HeartbeatPayload",
    description: "Payload of `heartbeat`.",
    examples: [payloadExamples.heartbeat],
    fields: {
      type: variant,
      operation,
      contextId: "The context that is viewed at this time: it becomes the current one. An unknown id has no effect.",
      tabId: "The tab that is viewed.",
    },
  }),
  describe(ConfigPayload, {
    id: "ConfigPayload",
    description: `Payload of \`config\`: the newest settings of an extension instance, filtered for privacy. ${bound}`,
    examples: [payloadExamples.config],
    fields: { type: variant, operation, config: { description: `The settings. ${freeForm}`, examples: [payloadExamples.config.config] } },
  }),
  describe(ErrorPayload, {
    id: "ErrorPayload",
    description: `Payload of \`error\`: something that went wrong in the extension, filtered for privacy. The last ${limits.extensionErrorsMax} of a user are kept. ${bound}`,
    examples: [payloadExamples.error],
    fields: {
      type: variant,
      operation,
      code: { description: "What kind of error, in the extension's own words.", examples: [payloadExamples.error.code] },
      message: { description: "What went wrong.", examples: [payloadExamples.error.message] },
      details: { description: freeForm, examples: [payloadExamples.error.details] },
    },
  }),
  describe(CreateMessage, {
    id: "CreateMessage",
    description:
      "Stores a context, filtered for privacy. When its id exists already, the message with the newer `timestamp` wins; both are success.",
    examples: { create: messageExamples.create },
    fields: { ...head, payload: "The context to store." },
  }),
  describe(UpdateMessage, {
    id: "UpdateMessage",
    description:
      "Changes fields of a context and filters it again; `not_found` when there is none. The newer `timestamp` wins; the older is success without effect.",
    examples: { update: messageExamples.update },
    fields: { ...head, payload: "The id and what to change." },
  }),
  describe(DeleteMessage, {
    id: "DeleteMessage",
    description: `Removes a context; one that is missing is success too. For ${limits.replayDays} days an older create or update that arrives later brings nothing back.`,
    examples: { delete: messageExamples.delete },
    fields: { ...head, payload: "The context to delete." },
  }),
  describe(HeartbeatMessage, {
    id: "HeartbeatMessage",
    description: "Says that the extension instance is alive, and what is viewed.",
    examples: { heartbeat: messageExamples.heartbeat },
    fields: { ...head, payload: "What is viewed; may be left out." },
  }),
  describe(ConfigMessage, {
    id: "ConfigMessage",
    description: "Keeps the newest settings of the extension instance.",
    examples: { config: messageExamples.config },
    fields: { ...head, payload: "The settings." },
  }),
  describe(ErrorMessage, {
    id: "ErrorMessage",
    description: "Reports something that went wrong in the extension.",
    examples: { error: messageExamples.error },
    fields: { ...head, payload: "What went wrong." },
  }),
  describe(ItemMessage, {
    id: "ItemMessage",
    description: "A message that stands for itself: every type but `batch`. An element of `messages` in a batch.",
    examples: { create: messageExamples.create, delete: messageExamples.delete },
  }),
];
