import { ErrorBody, ErrorDetail } from "../error-body.js";
import { ErrorCode, ItemErrorCode } from "../error-codes.js";
import { sample } from "./example-values.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

export const errorsDocs: readonly SchemaDoc[] = [
  describe(ErrorCode, {
    id: "ErrorCode",
    description: "Stable code of an error answer. Programs should decide by it, not by the message.",
    examples: ["not_found"],
    values: {
      bad_request: "400: the body or a parameter is wrong; `details` names the fields. Correct the request.",
      message_id_reused: "400: the message id was already used for another message of the same extension instance. Send a new id.",
      unauthorized: "401: no key, or one that is unknown, expired or revoked. Send a valid key.",
      forbidden: "403: the key lacks the scope, or the data belongs to another user.",
      privacy_rejected: "403: the page is never captured (a private window, a browser page, a blocked site). Do not send it again.",
      not_found: "404: there is no such context, or none has been synced yet.",
      method_not_allowed: "405: the path does not allow this method; `Allow` names those it has.",
      request_timeout: "408: the request was not sent whole within 2 minutes. Send it again, in smaller parts if it can be.",
      conflict: "409: what the request relies on has changed. Look again, then send it as things are now.",
      payload_too_large:
        "413: the body is larger than `maxBytes` after decoding, or has too many object members and array elements. Send less at a time.",
      unsupported_media_type: "415: the body is not `application/json`, or its encoding or charset is not supported.",
      upgrade_required: "426: the live channel is a WebSocket or a stream of server-sent events. Connect to it as one.",
      rate_limited: "429: the budget of this minute is used up, or the user has too much in progress. Retry after `Retry-After` seconds.",
      internal_error:
        "500: an unexpected failure. What was sent may be stored: sending it again under the same ids is safe. Retry with exponential backoff.",
      unavailable:
        "503: the server is shutting down, its database does not respond, its disk is full, or its memory is taken. Retry after `Retry-After` seconds.",
    },
  }),
  describe(ErrorDetail, {
    id: "ErrorDetail",
    description: "One problem of a request.",
    examples: [{ path: "limit", message: "must be at most 200" }],
    fields: {
      path: {
        description: "Name of the parameter, or path of the field in the body.",
        examples: ["payload.context.tabMetadata"],
      },
      message: { description: "What is wrong.", examples: ["required"] },
    },
  }),
  describe(ErrorBody, {
    id: "ErrorBody",
    description: "Body of every error answer.",
    examples: [
      {
        error: "bad_request",
        message: "payload.context.tabMetadata: required",
        details: [{ path: "payload.context.tabMetadata", message: "required" }],
        requestId: sample.requestId,
      },
    ],
    fields: {
      error: "Kind of failure.",
      message: "What went wrong and what to do, for people. The wording may change.",
      details: "The problems of the request, if there are any to name.",
      requestId: {
        description: "Identifier of the request, also in the `X-Request-Id` header. Name it when you report a problem.",
        examples: [sample.requestId],
      },
      maxBytes: { description: "Only for 413: the maximum size of a body in bytes.", examples: [16_777_216], keywords: { minimum: 0 } },
    },
  }),
  describe(ItemErrorCode, {
    id: "ItemErrorCode",
    description: "Code of a failed message of a batch.",
    examples: ["validation_error"],
    values: {
      validation_error: "The message is invalid; `message` names the field. Correct it and send it again under the same id.",
      forbidden: "The key lacks the scope for this message, or the message names another user.",
      not_found: "An `update` of a context that does not exist.",
      message_id_reused: "The id was already used for another message of the same extension instance. Send a new id.",
      privacy_rejected: "The page is never captured. Do not send it again.",
      internal_error:
        "An unexpected failure, or one of the server as a whole, which `message` names. The message may be stored: sending it again under the same id is safe.",
    },
  }),
];
