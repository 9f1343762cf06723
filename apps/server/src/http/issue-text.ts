import { config } from "zod";
import en from "zod/v4/locales/en.js";

/**
 * Sets the error messages of zod for this process: zod/mini has none of its own, and tRPC parses without options.
 * Calling it again changes nothing.
 */
export function useIssueText(): void {
  config({ ...en(), customError: (issue) => (issue.input === undefined ? "required" : undefined) });
}
