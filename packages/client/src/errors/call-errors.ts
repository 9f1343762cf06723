import { type ErrorDetails, PeriscopeError } from "./periscope-error.js";

/**
 * The service could not be reached, or the connection was cut before the whole answer had come. `cause` has the words of the runtime, and
 * its `code`, such as `ECONNREFUSED`, where it gave one.
 *
 * @example
 * if (ConnectionError.is(error)) console.log("Is Periscope running?", error.message);
 */
export class ConnectionError extends PeriscopeError {
  static override readonly kind: string = "ConnectionError";
  declare readonly name: "ConnectionError";
}

/**
 * The answer took longer than `timeoutMs` allows an attempt, or `deadlineMs` the whole call.
 *
 * @example
 * if (TimeoutError.is(error)) console.log(error.limit, "was reached after", error.attempts, "requests");
 */
export class TimeoutError extends PeriscopeError {
  static override readonly kind: string = "TimeoutError";
  declare readonly name: "TimeoutError";

  /** Which of the two limits was reached. */
  readonly limit: "timeoutMs" | "deadlineMs";

  constructor(message: string, { limit, ...details }: ErrorDetails & { limit: "timeoutMs" | "deadlineMs" }) {
    super(message, details);
    this.limit = limit;
  }
}

/**
 * The caller's signal ended the call; `cause` is the signal's reason. Never `retryable`: the caller wanted it to end.
 *
 * @example
 * if (AbortedError.is(error)) return;
 */
export class AbortedError extends PeriscopeError {
  static override readonly kind: string = "AbortedError";
  declare readonly name: "AbortedError";
}

/** One thing in an answer that is not as the contract says. */
export interface Issue {
  /** Where, such as `results.3.url`; empty for the answer as a whole. */
  path: string;
  /** What was expected there. */
  message: string;
}

/**
 * The service answered with success, but not with what the contract says: the page of a proxy or a login, or a service of another
 * version.
 *
 * @example
 * if (ResponseShapeError.is(error)) console.log(error.status, error.issues);
 */
export class ResponseShapeError extends PeriscopeError {
  static override readonly kind: string = "ResponseShapeError";
  declare readonly name: "ResponseShapeError";

  /** Status of the answer. */
  readonly status: number;
  /** What differs, at most ten of them. */
  readonly issues: readonly Issue[];

  constructor(message: string, { status, issues, ...details }: ErrorDetails & { status: number; issues: readonly Issue[] }) {
    super(message, details);
    this.status = status;
    this.issues = issues;
  }
}
