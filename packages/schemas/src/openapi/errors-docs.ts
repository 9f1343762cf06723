import { ErrorBody, ErrorDetail } from "../error-body.js";
import { ErrorCode, ItemErrorCode } from "../error-codes.js";
import { sample } from "./example-values.js";
import { describe, type SchemaDoc } from "./schema-doc.js";

export const errorsDocs: readonly SchemaDoc[] = [
  describe(ErrorCode, {
    id: "ErrorCode",
    description: "Code of an error answer, stable: programs decide by it, not by the message.",
    examples: ["not_found"],
    values: {
      bad_request: "400: the body or a parameter is wrong; `details` names what. Correct the request.",
      message_id_reused: "400: this message id was used for another message of the same extension instance. Send a new id.",
      unauthorized: "401: no key, or one that is unknown, expired or revoked. Send a valid key.",
      forbidden: "403: the key lacks the scope, or what is asked for belongs to another user.",
      privacy_rejected:
        "403: the page is one that is never captured (a private window, a browser page, a blocked site). Do not send it again.",
      not_found: "404: there is no such context, or none has been synced yet.",
      method_not_allowed: "405: the path has other methods; `Allow` names them.",
      payload_too_large: "413: the body, also after decoding, is over `maxBytes`. Send less at once.",
      unsupported_media_type: "415: the body is not `application/json`, or in an unknown encoding or character set.",
      rate_limited: "429: the window's requests are used up. Wait until `X-RateLimit-Reset`, then retry.",
      internal_error: "500: an unexpected failure; nothing was stored. Retry with exponential backoff.",
      unavailable: "503: shutting down, or the database is gone. Retry after `Retry-After` seconds.",
    },
  }),
  describe(ErrorDetail, {
    id: "ErrorDetail",
    description: "One thing that is wrong with a request.",
    examples: [{ path: "limit", message: "must be at most 200" }],
    fields: {
      path: {
        description: "Where: a parameter's name, or the path into the body.",
        examples: ["payload.context.tabMetadata"],
      },
      message: { description: "What is wrong, in words.", examples: ["required"] },
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
      error: "What kind of failure it is.",
      message: "What went wrong and what to do, for a person to read; its wording may change.",
      details: "Each thing that is wrong with the request; left out when there is nothing to name.",
      requestId: {
        description: "The request's id, also in the `X-Request-Id` header: name it when you report a problem.",
        examples: [sample.requestId],
      },
      maxBytes: { description: "Of 413 alone: the most bytes that a body may have.", examples: [16_777_216], keywords: { minimum: 0 } },
    },
  }),
  describe(ItemErrorCode, {
    id: "ItemErrorCode",
    description: "Code of a failed message of a batch.",
    examples: ["validation_error"],
    values: {
      validation_error: "The message is wrong; its text names the path. Correct it and send it again under the same id.",
      forbidden: "The key lacks the scope that this message needs, or the message names another user.",
      not_found: "An `update` of a context that does not exist.",
      message_id_reused: "The id was used for another message of the same extension instance. Send a new id.",
      privacy_rejected: "The page is one that is never captured. Do not send it again.",
      internal_error: "An unexpected failure. The same message can succeed when sent again.",
    },
  }),
];
