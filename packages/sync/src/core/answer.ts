import type { PrivacyLevel } from "@periscope/schemas";
import { isCode } from "./connection.js";

/** What the service said of one message. */
export type Verdict =
  | { is: "stored"; isDuplicate: boolean; contextId?: string; privacyLevel?: PrivacyLevel }
  | { is: "refused"; code: string; message: string }
  /** It can succeed later; or the answer said nothing, or contradicted itself: then it counts as not sent. */
  | { is: "unsent"; code: string };

interface Result {
  messageId?: unknown;
  status?: unknown;
  duplicate?: unknown;
  contextId?: unknown;
  privacyLevel?: unknown;
  error?: { code?: unknown; message?: unknown; retryable?: unknown };
}

/**
 * What an answer to a batch says of each id; undefined when it is no answer of the service, as the page of a captive portal. By id alone:
 * an answer may lack results, repeat them, reorder them, or hold some of other messages, and nothing of ours is stored on the word of those.
 */
export function readAnswer(body: unknown, envelopeId: string, ids: readonly string[]): Map<string, Verdict> | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { messageId, results } = body as { messageId?: unknown; results?: unknown };
  if (messageId !== envelopeId || !Array.isArray(results)) return undefined;
  const verdicts = new Map<string, Verdict>(ids.map((id) => [id, { is: "unsent", code: "no_result" }]));
  const seen = new Map<string, unknown>();
  for (const result of results as (Result | null)[]) {
    const id = result?.messageId;
    if (typeof id !== "string" || !verdicts.has(id)) continue;
    const isContradiction = seen.has(id) && seen.get(id) !== result?.status;
    seen.set(id, result?.status);
    verdicts.set(id, isContradiction ? { is: "unsent", code: "contradiction" } : verdictOf(result ?? {}));
  }
  return verdicts;
}

function verdictOf({ status, duplicate, contextId, privacyLevel, error = {} }: Result): Verdict {
  if (status === "success") {
    const context = {
      ...(typeof contextId === "string" && { contextId }),
      ...(typeof privacyLevel === "string" && { privacyLevel: privacyLevel as PrivacyLevel }),
    };
    return { is: "stored", isDuplicate: duplicate === true, ...context };
  }
  const { code, message, retryable } = error;
  const name = typeof code !== "string" ? "internal_error" : isCode(code) ? code : "unknown";
  // Only an error that says so is for good.
  if (status !== "error" || retryable !== false) return { is: "unsent", code: name };
  return { is: "refused", code: name, message: typeof message === "string" ? message : "The service did not say why." };
}

/** Bytes that a 413 says a body may have. */
export function maxBytesOf(body: unknown): number | undefined {
  const { maxBytes } = (typeof body === "object" && body !== null ? body : {}) as { maxBytes?: unknown };
  return typeof maxBytes === "number" && maxBytes > 0 ? maxBytes : undefined;
}
