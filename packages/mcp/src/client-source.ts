import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  type Periscope,
  PeriscopeError,
  PermissionError,
  RateLimitError,
  TimeoutError,
} from "@periscope/client";
import { type ContextSource, SourceError, type SourceErrorCode } from "./context-source.js";
import { correctAddress } from "./failure.js";

/**
 * The service over HTTP. Its failures are {@link SourceError}, which tell a model what is wrong and what to do next.
 * @param address the address as it was set, which the user knows; the client's own has the version's prefix, set or not
 *
 * @example
 * const source = createClientSource(new Periscope());
 */
export function createClientSource(periscope: Periscope, address: string = periscope.baseUrl): ContextSource {
  const noAddress = (error: unknown) => {
    throw withAddress(error, address);
  };
  return {
    current: (query, options) => withSourceErrors(periscope.current(query, options)).catch(noAddress),
    history: (query, options) => withSourceErrors(periscope.history(query, options)).catch(noAddress),
    search: (query, options) => withSourceErrors(periscope.search(query, options)).catch(noAddress),
    get: (contextId, query, options) => withSourceErrors(periscope.get(contextId, query, options)),
    follow(onChange, { signal, onEnd }) {
      const following = async () => {
        // Before a connection has begun, and between two, the page may have turned without an event.
        const events = periscope.live({ signal, onSubscribed: onChange });
        for await (const { event } of events) if (event === "current.changed") onChange();
      };
      // What the service refuses is told by the next call of a tool.
      following()
        .catch(() => {})
        .finally(onEnd);
    },
    delete: async (contextId, options) => (await withSourceErrors(periscope.delete(contextId, options))).deleted,
  };
}

/**
 * Whether the client's key may delete. Rejects with {@link SourceError} when the service could not be asked.
 * @param address as {@link createClientSource} has it
 */
export async function mayDelete(periscope: Periscope, address: string = periscope.baseUrl): Promise<boolean> {
  try {
    const { scopes } = await periscope.key({ maxRetries: 0, deadlineMs: 3_000 });
    return scopes.includes("delete");
  } catch (error) {
    throw withAddress(toSourceError(error), address);
  }
}

async function withSourceErrors<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw toSourceError(error);
  }
}

/** Of what names no context a 404 says that the service is not at this address. The client takes no address with a password. */
function withAddress(error: unknown, address: string): unknown {
  if (!(error instanceof SourceError) || error.code !== "not_found") return error;
  const shown = address.replaceAll(/\bpsk_\w+/g, "[key]");
  return new SourceError("unavailable", `There is no Periscope at PERISCOPE_BASE_URL, which is ${shown}.`, {
    cause: error,
    nextStep: correctAddress,
  });
}

function toSourceError(error: unknown): unknown {
  if (!PeriscopeError.is(error)) return error;
  // The service's own sentence, without the method and path that it answers, which a model did not choose.
  const message = (ApiError.is(error) && messageOf(error.body)) || error.message;
  const more = { cause: error, ...(error.requestId !== null && { requestId: error.requestId }) };
  if (RateLimitError.is(error)) {
    return new SourceError("rate_limited", message, { ...more, retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) });
  }
  // No redirect is followed. The client's sentence names where it leads.
  if (ApiError.is(error) && error.status < 400) return new SourceError("unavailable", error.message, { ...more, nextStep: correctAddress });
  return new SourceError(codeOf(error), message, more);
}

function codeOf(error: PeriscopeError): SourceErrorCode {
  if (BadRequestError.is(error)) return "bad_request";
  if (AuthenticationError.is(error)) return "unauthorized";
  if (PermissionError.is(error)) return "forbidden";
  if (NotFoundError.is(error)) return "not_found";
  if (ConnectionError.is(error) || TimeoutError.is(error) || AbortedError.is(error)) return "unavailable";
  // What the client refuses by itself has no class of its own: a key that it cannot send or get, else an argument.
  if (error.name === "PeriscopeError") return /^The API ?key /i.test(error.message) ? "unauthorized" : "bad_request";
  return ApiError.is(error) && error.status !== 503 ? "internal" : "unavailable";
}

function messageOf(body: unknown): string | undefined {
  return typeof body === "object" && body !== null && "message" in body && typeof body.message === "string" ? body.message : undefined;
}
