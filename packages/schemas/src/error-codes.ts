import * as z from "zod/mini";

/** Code of an error answer: the `error` field of every error body. */
export const ErrorCode = z.enum([
  "bad_request",
  "message_id_reused",
  "unauthorized",
  "forbidden",
  "privacy_rejected",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "conflict",
  "payload_too_large",
  "unsupported_media_type",
  "upgrade_required",
  "rate_limited",
  "internal_error",
  "unavailable",
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** HTTP status of each error code. The `Record` makes a code without a status a type error. */
export const statusOfError: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  message_id_reused: 400,
  unauthorized: 401,
  forbidden: 403,
  privacy_rejected: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upgrade_required: 426,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** Code of a failed item of a batch: `results[i].error.code`. */
export const ItemErrorCode = z.enum([
  "validation_error",
  "forbidden",
  "not_found",
  "message_id_reused",
  "privacy_rejected",
  "internal_error",
]);
export type ItemErrorCode = z.infer<typeof ItemErrorCode>;

/** Whether sending the same message again, unchanged, can succeed. */
export function isRetryableItemError(code: ItemErrorCode): boolean {
  return code === "internal_error";
}
