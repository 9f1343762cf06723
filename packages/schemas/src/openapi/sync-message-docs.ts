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

const operation = "Optional. If present, it must equal the message's `type`.";
const variant = "Optional name of the payload variant.";
const bound = `At most ${limits.payloadBytesMax} bytes of JSON.`;
const freeForm = `Any JSON, nested at most ${limits.payloadDepthMax} levels deep.`;

const head = {
  id: "Identifier of the message. Sending the same message again within 7 days changes nothing and returns the same answer with `duplicate: true`.",
  type: "The operation.",
  timestamp:
    "When the message was created. If two messages change one context, the newer one wins. At most 24 hours ahead of the server's clock.",
  userId: "Must be the key's user, else `forbidden`. Default: the key's user.",
  extensionId: "The extension instance that sends the message. Default: that of the batch, else `default`.",
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
      heartbeat: "reports that the extension is alive and, with a context id, that the context is being viewed; scope `write`",
      batch: "carries up to 100 other messages; each needs its own scope",
      config: "stores the settings of the extension instance; scope `write`",
      error: "reports an error of the extension; scope `write`",
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
    fields: { type: variant, operation, context: "The id and the fields to change." },
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
      contextId: "The context that is being viewed: it becomes the current one. An unknown id has no effect.",
      tabId: "The tab that is being viewed.",
    },
  }),
  describe(ConfigPayload, {
    id: "ConfigPayload",
    description: `Payload of \`config\`: the settings of an extension instance, filtered for privacy. ${bound}`,
    examples: [payloadExamples.config],
    fields: { type: variant, operation, config: { description: `The settings. ${freeForm}`, examples: [payloadExamples.config.config] } },
  }),
  describe(ErrorPayload, {
    id: "ErrorPayload",
    description: `Payload of \`error\`: an error of the extension, filtered for privacy. The last ${limits.extensionErrorsMax} of each user are stored. ${bound}`,
    examples: [payloadExamples.error],
    fields: {
      type: variant,
      operation,
      code: { description: "Error code, chosen by the extension.", examples: [payloadExamples.error.code] },
      message: { description: "What went wrong.", examples: [payloadExamples.error.message] },
      details: { description: freeForm, examples: [payloadExamples.error.details] },
    },
  }),
  describe(CreateMessage, {
    id: "CreateMessage",
    description:
      "Stores a context, filtered for privacy. If its id exists already, the message with the newer `timestamp` wins; both succeed.",
    examples: { create: messageExamples.create },
    fields: { ...head, payload: "The context to store." },
  }),
  describe(UpdateMessage, {
    id: "UpdateMessage",
    description:
      "Changes fields of a context and filters it again. `not_found` if there is no such context. An older message than the stored one succeeds without effect.",
    examples: { update: messageExamples.update },
    fields: { ...head, payload: "The id and the fields to change." },
  }),
  describe(DeleteMessage, {
    id: "DeleteMessage",
    description: `Deletes a context. Deleting a missing one succeeds too. For ${limits.replayDays} days, an older create or update that arrives later does not restore it.`,
    examples: { delete: messageExamples.delete },
    fields: { ...head, payload: "The context to delete." },
  }),
  describe(HeartbeatMessage, {
    id: "HeartbeatMessage",
    description: "Reports that the extension is alive, and what is being viewed.",
    examples: { heartbeat: messageExamples.heartbeat },
    fields: { ...head, payload: "What is being viewed. Optional." },
  }),
  describe(ConfigMessage, {
    id: "ConfigMessage",
    description: "Stores the settings of the extension instance.",
    examples: { config: messageExamples.config },
    fields: { ...head, payload: "The settings." },
  }),
  describe(ErrorMessage, {
    id: "ErrorMessage",
    description: "Reports an error of the extension.",
    examples: { error: messageExamples.error },
    fields: { ...head, payload: "What went wrong." },
  }),
  describe(ItemMessage, {
    id: "ItemMessage",
    description: "A message of any type but `batch`: an element of `messages` in a batch.",
    examples: { create: messageExamples.create, delete: messageExamples.delete },
  }),
];
