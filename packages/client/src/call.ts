import type { Shape } from "./answers/shape.js";
import { findIssues } from "./answers/find-issues.js";
import { ResponseShapeError } from "./errors/call-errors.js";
import type { Answer } from "./http/attempt.js";
import { parsed, requestIdOf } from "./http/error-of.js";
import type { Sent } from "./http/send.js";
import { type RateLimit, rateLimitOf } from "./rate-limit.js";

/** A result together with the answer that it came from. */
export interface WithResponse<T> {
  /** What the call resolves to by itself. */
  data: T;
  /** The answer as fetch gives it, its body unread. */
  response: Response;
  /** Identifier of the answer, for reports to the operator. */
  requestId: string | null;
  /** Where the user stands in the budget that the call drew on. */
  rateLimit: RateLimit | null;
  /** Requests that the call sent. */
  attempts: number;
}

/**
 * The result of a call, on its way: a promise that starts at once, with more for those who need it.
 *
 * @example
 * const context = await periscope.current();
 * const { data, rateLimit, requestId } = await periscope.current().withResponse();
 */
export interface Call<T> extends Promise<T> {
  /** The result with its answer, request id, rate limit and number of attempts. Rejects as the call does. */
  withResponse(): Promise<WithResponse<T>>;
  /** The answer alone, its body unread and unchecked. Rejects as the call does, but for what is wrong with the body. */
  asResponse(): Promise<Response>;
}

/** A call that has been started. */
export class StartedCall<T> implements Call<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #sent: Promise<Sent>;
  readonly #read: (sent: Sent) => T;
  #data: Promise<T> | undefined;

  constructor(sent: Promise<Sent>, read: (sent: Sent) => T) {
    this.#sent = sent;
    this.#read = read;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<A = T, B = never>(
    onResult?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#result().then(onResult, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#result().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<T> {
    return this.#result().finally(onEnd);
  }

  async withResponse(): Promise<WithResponse<T>> {
    const data = await this.#result();
    const { answer, attempts } = await this.#sent;
    return { data, response: responseOf(answer), requestId: requestIdOf(answer), rateLimit: rateLimitOf(answer.headers), attempts };
  }

  async asResponse(): Promise<Response> {
    return responseOf((await this.#sent).answer);
  }

  /** Read once, and only when somebody asks: who wants the answer alone may get one that is not as it should be. */
  #result(): Promise<T> {
    return (this.#data ??= this.#sent.then(this.#read));
  }
}

/**
 * The JSON of an answer, when it has the shape; fields that the shape does not know stay.
 * @param unsafe whether a repeat could do more than was asked, so that the error is not `retryable`
 * @throws ResponseShapeError when it has not, or is no JSON
 */
export function readAnswer({ answer, attempts }: Pick<Sent, "answer" | "attempts">, shape: Shape, unsafe = false): unknown {
  const json = parsed(answer.text);
  const issues = json === undefined ? [{ path: "", message: "must be JSON" }] : findIssues(shape, json);
  const [first] = issues;
  if (first === undefined) return json;
  const { status } = answer;
  const message = `Not an answer of Periscope, or of another version: status ${status}, ${first.path || "the body"} ${first.message}; check baseUrl, and proxies on the way.`;
  throw new ResponseShapeError(message, {
    status,
    issues,
    attempts,
    requestId: requestIdOf(answer),
    retryable: json === undefined && !unsafe,
  });
}

function responseOf({ status, statusText, headers, url, text }: Answer): Response {
  // A status without a body, such as 204, allows not even an empty one.
  const response = new Response(text || null, { status, statusText, headers });
  // As of the answer itself; the constructor has no way to say it.
  Object.defineProperty(response, "url", { value: url });
  return response;
}
