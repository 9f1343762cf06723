import { SourceError, type SourceErrorCode } from "./context-source.js";

/** What a model is told to do after a failure. */
export const nextSteps: Readonly<Record<SourceErrorCode, string>> = {
  bad_request: "Correct the arguments and call again.",
  unauthorized:
    "Calling again will not help. Tell the user that Periscope does not accept the API key of this MCP server, and that it must be replaced.",
  forbidden: "Calling again will not help. Tell the user that the API key of this MCP server does not permit this.",
  not_found: "Find ids with search_contexts or list_history.",
  rate_limited: "Wait before the next call, and ask for less.",
  unavailable: "Call again once. If it fails again, tell the user that Periscope cannot be reached.",
  internal: "Call again once. If it fails again, tell the user that Periscope failed.",
};

/** What a model, and the user of the command, are told to do when the address of the service is wrong. */
export const correctAddress = "The user must correct PERISCOPE_BASE_URL; it ends in /api/v1, not /mcp. Calling again will not help.";

function failureText(thrown: unknown): string {
  if (!(thrown instanceof SourceError)) return `The MCP server failed unexpectedly. ${nextSteps.internal}`;
  const { code, message, nextStep = nextSteps[code], retryAfterSeconds, requestId } = thrown;
  const wait = retryAfterSeconds === undefined ? [] : [`It can succeed in ${retryAfterSeconds} seconds.`];
  const id = code === "internal" && requestId !== undefined ? [`Request id for the operator: ${requestId}.`] : [];
  return [/[.!?]$/.test(message) ? message : `${message}.`, ...wait, nextStep, ...id].join(" ");
}

/**
 * What a failure tells a model: what is wrong, and what to do next. Of an unexpected error nothing but that there was one; that goes to
 * `onUnexpected`.
 */
export function reportedFailure(thrown: unknown, onUnexpected: ((error: unknown) => void) | undefined): string {
  if (!(thrown instanceof SourceError)) onUnexpected?.(thrown);
  return failureText(thrown);
}
