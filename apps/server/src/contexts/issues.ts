import type { ErrorDetail } from "@periscope/schemas";
import { config } from "zod";
import { badRequest, type DomainError } from "../domain-error.js";
import en from "zod/v4/locales/en.js";

/** An issue of a zod schema. */
interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Issues as details: the path and what to change. At most 20, so that an answer stays small. */
export function toDetails(issues: readonly Issue[], root = "body"): ErrorDetail[] {
  return issues.slice(0, 20).map(({ path, message }) => ({ path: path.map(String).join(".") || root, message }));
}

/** The error for a request that a schema has found issues with. */
export function invalidRequest(issues: readonly Issue[]): DomainError {
  const details = toDetails(issues);
  return badRequest(firstOf(details), details);
}

/** The first detail in one line: `payload.context.tabMetadata: required`. */
export function firstOf(details: readonly ErrorDetail[]): string {
  const [first] = details;
  if (!first) return "The request is not valid.";
  const more = details.length - 1;
  return `${first.path}: ${first.message}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/**
 * Sets the error messages of zod for this process: zod/mini has none of its own, and tRPC parses without options.
 * Calling it again changes nothing.
 */
export function installZodMessages(): void {
  config({ ...en(), customError: (issue) => (issue.input === undefined ? "required" : undefined) });
}
