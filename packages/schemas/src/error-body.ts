import * as z from "zod/mini";
import { ErrorCode } from "./error-codes.js";

/** One thing that is wrong with a request: where, and what to change. */
export const ErrorDetail = z.object({ path: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** Body of every error answer. `maxBytes` comes with 413 only. */
export const ErrorBody = z.object({
  error: ErrorCode,
  message: z.string(),
  details: z.optional(z.array(ErrorDetail)),
  requestId: z.optional(z.string()),
  maxBytes: z.optional(z.int()),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
