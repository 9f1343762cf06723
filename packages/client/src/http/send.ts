import { decide } from "@periscope/delivery";
import { AbortedError, ConnectionError, TimeoutError } from "../errors/call-errors.js";
import { PeriscopeError } from "../errors/periscope-error.js";
import type { CallOptions } from "../options.js";
import { redact } from "../redact.js";
import { rateLimitOf } from "../rate-limit.js";
import { limitsOf, type Settings } from "../settings.js";
import type { ApiRequest } from "./api-request.js";
import { type Answer, attempt, type AttemptEnd, type Failure, furtherHeaders } from "./attempt.js";
import { errorOf, requestIdOf } from "./error-of.js";
import { wait } from "./time-limit.js";

/** What a call ended with. */
export interface Sent {
  answer: Answer;
  attempts: number;
  /** Whether an attempt before the last may have taken effect, though no answer said so. */
  unsure: boolean;
}

/** A request, and which answers outside of 2xx are no errors; `unsure` is as in {@link Sent}. */
export interface Sending {
  request: ApiRequest;
  options: CallOptions;
  accepts?: ((answer: Answer, unsure: boolean) => boolean) | undefined;
}

/**
 * Sends a request until it is answered, within the limits of the call. A request may be sent again, unless it is `unsafe`: messages have
 * ids, and the rest says what is to be so.
 * @throws PeriscopeError of the class that fits
 */
export async function send({ request, options, accepts }: Sending, settings: Settings): Promise<Sent> {
  const { log, renewsKey } = settings;
  const { signal } = options;
  const headers = furtherHeaders(settings.headers, options.headers);
  const { timeoutMs, deadlineMs, maxRetries } = limitsOf(options, settings.limits, request.isLong);
  const call = `${request.method} ${request.path}`;
  const endsAt = performance.now() + deadlineMs;
  const keys: string[] = [];
  let attempts = 0;
  let renewals = 0;
  let requestId: string | null = null;
  let unsure = false;

  for (let tries = 1; ; tries++) {
    const startedAt = performance.now();
    const end = await attempt(request, settings, { ms: Math.min(timeoutMs, endsAt - startedAt), signal, headers });
    note(end, performance.now() - startedAt);
    const { answer } = end;
    if (answer && accepts?.(answer, unsure)) return { answer, attempts, unsure };
    const outcome = answer ?? { error: end.error };
    // Without a key nothing was sent.
    const idempotent = end.key === undefined || !request.unsafe;
    const decision = decide({ outcome, attempt: tries, now: Date.now(), random: Math.random, idempotent });
    if (answer && decision.action === "done") return { answer, attempts, unsure };
    if (decision.action === "refresh-auth" && renewsKey && renewals === 0) {
      renewals = 1;
      continue;
    }
    const again = decision.action === "retry";
    // What cannot come in time is not waited for.
    const late = again && performance.now() + decision.afterMs >= endsAt;
    if (!again || late || tries > maxRetries + renewals) throw errorFor(end, again, late);
    log("info", "waits for another attempt", { call, attempts, reason: answer?.status ?? end.error, waitMs: decision.afterMs });
    if (!(await wait(decision.afterMs, signal))) throw errorFor({ error: "aborted" }, false);
    if (end.key !== undefined && answer?.status !== 429) unsure = true;
  }

  function note({ answer, error, key }: AttemptEnd, durationMs: number): void {
    if (key === undefined) return;
    attempts += 1;
    keys.push(key);
    if (!answer) return log("debug", `no answer: ${error}`, { call, attempts, durationMs });
    requestId = requestIdOf(answer);
    const { method, path } = request;
    const info = { method, path, status: answer.status, requestId, attempts, rateLimit: rateLimitOf(answer.headers), durationMs };
    log("debug", "answered", info);
    // Also when it is async: what it rejects with would be nobody's.
    new Promise<void>((resolve) => resolve(settings.onResponse?.(info))).catch(() => log("warn", "onResponse failed", { call }));
  }

  /** The error of a call whose last attempt ended so. */
  function errorFor(end: AttemptEnd, retryable: boolean, late?: boolean): PeriscopeError {
    const about = { attempts, requestId, retryable };
    const sent = `${call}, sent ${attempts === 1 ? "once" : `${attempts} times`}`;
    if (end.answer) {
      const more = late && end.answer.status === 429 ? `, the rate limit resets after deadlineMs (${deadlineMs})` : "";
      return errorOf(end.answer, { ...about, call: call + more, baseUrl: settings.baseUrl, keys });
    }
    if (end.error === "aborted") return new AbortedError(`${sent}: aborted`, { ...about, cause: signal?.reason });
    if (end.error === "network") {
      if (end.key === undefined) return new PeriscopeError(end.cause.message, about);
      const message = `${sent}: no answer from ${redact(settings.baseUrl, keys)}: ${explain(end.cause)}`;
      return new ConnectionError(message, { ...about, cause: end.cause });
    }
    const limit = performance.now() < endsAt - 1 ? "timeoutMs" : "deadlineMs";
    const ms = { timeoutMs, deadlineMs }[limit];
    const message = `${sent}: no whole answer within ${limit} ${ms}; a higher ${limit} waits longer.`;
    return new TimeoutError(message, { ...about, limit });
  }
}

/** Failures that runtimes name only by a code, or in the words of OpenSSL, and what to say of them. */
const knownFailures: readonly (readonly [RegExp, string])[] = [
  [/conn(ection)? ?refused/i, "Connection refused. Is Periscope running at this address?"],
  [/ENOTFOUND|dns error/, "No such host."],
  [/wrong.version|InvalidContentType/i, "The server does not use HTTPS. Try http://."],
];

function explain({ code, message }: Failure): string {
  return knownFailures.find(([said]) => said.test(`${code} ${message}`))?.[1] ?? message;
}
