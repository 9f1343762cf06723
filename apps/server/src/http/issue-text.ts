import { config } from "zod";
import en from "zod/v4/locales/en.js";

/**
 * Words for what is wrong with a field. zod/mini carries none of its own, and the tRPC procedures parse without options,
 * so they are set for the process; setting them again changes nothing.
 */
export function useIssueText(): void {
  config({ ...en(), customError: (issue) => (issue.input === undefined ? "required" : undefined) });
}
