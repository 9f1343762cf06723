import type { RequestHandler } from "express";
import type { Deps } from "../deps.js";
import { noRoute } from "../metrics/http-metrics.js";
import { requestIdOf, stateOf } from "./request-state.js";

/**
 * Gives every request its id, and when it is answered the log one line: method, route, status, time, ids; and the metrics
 * the same without ids. Never the URL itself (it holds queries), a header, or a body.
 */
export function requestLog({ logger, metrics, newRequestId }: Pick<Deps, "logger" | "metrics" | "newRequestId">): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    metrics.http.arrived();
    const state = stateOf(res);
    state.requestId = requestIdOf(req, newRequestId);
    res.setHeader("X-Request-Id", state.requestId);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.on("close", () => {
      const { requestId, route, principal, failure } = state;
      const { method } = req;
      const status = res.writableFinished ? res.statusCode : 499;
      const ms = performance.now() - startedAt;
      metrics.http.answered({ method, route, status, seconds: ms / 1000 });
      const line = {
        method,
        route: route ?? noRoute,
        status,
        ms: Math.round(ms * 100) / 100,
        requestId,
        userId: principal?.userId,
      };
      if (failure === undefined) logger.info(line);
      else logger.error({ ...line, failure: describeFailure(failure) });
    });
    next();
  };
}

/** An error without its message, which may quote content: its kind, code and where it came from. */
export function describeFailure(failure: unknown): Record<string, unknown> {
  if (!(failure instanceof Error)) return { kind: typeof failure };
  const code = "code" in failure && typeof failure.code === "string" ? failure.code : undefined;
  const cause = failure.cause === undefined ? undefined : describeFailure(failure.cause);
  return { kind: failure.name, code, frames: framesOf(failure), cause };
}

/** The stack after the message, of which lines may look like frames. */
function framesOf({ stack = "", message }: Error): string[] {
  const at = stack.indexOf(message);
  if (at < 0) return [];
  const lines = stack.slice(at + message.length).split("\n");
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 12)
    .map((line) => line.trim());
}
