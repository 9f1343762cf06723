import { type ContextSource, SourceError, type SourceErrorCode } from "@periscope/mcp";
import type { ErrorCode } from "@periscope/schemas";
import type { DomainError } from "../domain-error.js";
import { appRouter } from "./app-router.js";
import type { EndpointMeta, RequestContext } from "../trpc/endpoint.js";
import { toDomainError } from "./answers.js";

interface McpSourceOptions extends Pick<RequestContext, "services" | "principal" | "spend"> {
  requestId: string;
  /** Calls `onChange` each time that the current context changes, until the signal. */
  follow: NonNullable<ContextSource["follow"]>;
  /** Called with the cause of an internal error. */
  onFailure: (cause: unknown) => void;
}

/** The service's procedures for MCP's tools, with the scopes, budgets and rules of the REST routes. */
export function createMcpSource({ services, principal, spend, requestId, follow, onFailure }: McpSourceOptions): ContextSource {
  const procedures = appRouter.createCaller({ services, principal, spend, setStatus: () => {} });
  const { current, history, search, get, remove } = appRouter._def.procedures;

  async function call<T>({ _def: { meta } }: { _def: { meta?: unknown } }, ask: () => Promise<T>): Promise<T> {
    try {
      await spend((meta as EndpointMeta).budget);
      return await ask();
    } catch (thrown) {
      const error = toDomainError(thrown);
      if (error.cause !== undefined) onFailure(error.cause);
      throw toSourceError(error, requestId);
    }
  }

  const orNone =
    <T>(none: T) =>
    (error: unknown): T => {
      if (error instanceof SourceError && error.code === "not_found") return none;
      throw error;
    };

  return {
    follow,
    current: (query) => call(current, () => procedures.current(query)).catch(orNone(null)),
    async history(query) {
      const { contexts, total, nextCursor } = await call(history, () => procedures.history(query));
      return { items: contexts, total, nextCursor };
    },
    async search(query) {
      const { results, ...page } = await call(search, () => procedures.search(query));
      return { items: results, ...page };
    },
    get: (contextId, query) => call(get, () => procedures.get({ contextId, ...query })),
    delete: (contextId) => call(remove, () => procedures.remove({ contextId }).then(() => true)).catch(orNone(false)),
  };
}

const codes: Partial<Record<ErrorCode, SourceErrorCode>> = {
  bad_request: "bad_request",
  unauthorized: "unauthorized",
  forbidden: "forbidden",
  not_found: "not_found",
  rate_limited: "rate_limited",
  unavailable: "unavailable",
};

function toSourceError({ code, message, extra: { retryAfterSeconds } }: DomainError, requestId: string): SourceError {
  return new SourceError(codes[code] ?? "internal", message, { requestId, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}
