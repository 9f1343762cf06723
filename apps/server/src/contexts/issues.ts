import type { ErrorDetail } from "@periscope/schemas";
import { config, type core } from "zod";
import { badRequest, type DomainError } from "../domain-error.js";
import en from "zod/v4/locales/en.js";

interface Issue {
  path: PropertyKey[];
  message: string;
}

/** Issues as details: the path and what to change. At most 20, so that an answer stays small. */
export function toDetails(issues: readonly Issue[], root = "body"): ErrorDetail[] {
  return issues.slice(0, 20).map(({ path, message }) => ({ path: path.map(String).join(".") || root, message }));
}

export function invalidRequest(issues: readonly Issue[]): DomainError {
  const details = toDetails(issues);
  return badRequest(firstOf(details), details);
}

/** The first details in one line: `payload.context.tabId: required; payload.context.url: required`. */
export function firstOf(details: readonly ErrorDetail[]): string {
  if (details.length === 0) return "The request is not valid.";
  const more = details.length - 3;
  const named = details.slice(0, 3).map(({ path, message }) => `${path}: ${message}`);
  return `${named.join("; ")}${more > 0 ? ` (and ${more} more)` : ""}`;
}

/**
 * Sets the error messages of zod for this process: zod/mini has none of its own, and tRPC parses without options.
 * Calling it again changes nothing.
 */
export function installZodMessages(): void {
  config({ ...en(), customError: (issue) => (issue.input === undefined ? "required" : plainMessage(issue)) });
}

const units: Readonly<Record<string, string>> = { string: " characters", array: " entries" };

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** What to change, where zod says it in the words of its code. */
function plainMessage(issue: core.$ZodRawIssue): string | undefined {
  const unit = units[String(issue["origin"])];
  if (issue.code === "too_small")
    return unit !== undefined && issue.minimum === 1
      ? "must not be empty"
      : unit === undefined
        ? `must be at least ${issue.minimum}`
        : `must have at least ${issue.minimum}${unit}`;
  if (issue.code === "too_big")
    return unit === undefined ? `must be at most ${issue.maximum}` : `must have at most ${issue.maximum}${unit}`;
  if (issue.code === "invalid_value") return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
  if (issue.code === "invalid_union" && Array.isArray(issue["options"])) return `must be one of ${issue["options"].join(", ")}`;
  if (issue.code === "invalid_type") return `must be ${typeNames[issue.expected] ?? issue.expected}`;
  return undefined;
}
