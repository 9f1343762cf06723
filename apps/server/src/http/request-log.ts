import type { RequestHandler } from "express";
import type { Deps } from "../deps.js";
import { requestIdOf, stateOf } from "./request-state.js";

/**
 * Gives every request its id, and the log one line when it is answered: method, route, status, time, ids.
 * Never the URL itself (it holds queries), a header, or a body.
 */
export function requestLog({ logger, newRequestId }: Pick<Deps, "logger" | "newRequestId">): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const state = stateOf(res);
    state.requestId = requestIdOf(req, newRequestId);
    res.setHeader("X-Request-Id", state.requestId);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.on("close", () => {
      const { requestId, route, principal, failure } = state;
      const line = {
        method: req.method,
        route: route ?? "(none)",
        status: res.writableFinished ? res.statusCode : 499,
        ms: Math.round((performance.now() - startedAt) * 100) / 100,
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
  const frames = failure.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  const cause = failure.cause === undefined ? undefined : describeFailure(failure.cause);
  return { kind: failure.name, code, frames: frames?.slice(0, 12).map((line) => line.trim()), cause };
}
