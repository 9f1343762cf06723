import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import type { Principal } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import type { FirstUses } from "../access/first-uses.js";
import type { UsageKind } from "../usage/usage.store.js";
import { describeFailure } from "../logger.js";
import { noRoute } from "../metrics/metrics.js";

/** What is known of a request while it is answered; kept on `res.locals`. */
export interface RequestState {
  requestId: string;
  /** Path of the route with its parameter's name; undefined for a path that does not exist. */
  route?: string;
  principal?: Principal;
  /** The budget that the request of a key was taken from. */
  budget?: Exclude<UsageKind, "mcp">;
  /** The person of the request's session, in the portal. */
  userId?: string;
  /** Why a 5xx was sent, in words; see {@link ./answers.ts}. */
  reason?: string;
  /** What an unexpected error was caused by. */
  failure?: unknown;
  /** Counts bytes that the request holds, or no longer holds if negative; throws past a bound. With `release`, see {@link ./bounds.ts}. */
  hold?: (bytes: number) => void;
  release?: () => void;
  /** Whether the body may take as long as it needs, as long as something of it arrives. */
  isUpload?: true;
}

export function stateOf(res: Response): RequestState {
  return res.locals as RequestState;
}

type LogOptions = Pick<Deps, "logger" | "metrics"> & { firstUses: Pick<FirstUses, "note">; usage: Pick<Deps["usage"], "count"> };

/**
 * Gives every request its id. When it is answered, writes one log line (method, route, status, time, ids) and counts it in the metrics.
 * The log never holds the URL, which holds queries, nor a header or a body.
 */
export function requestLog({ logger, metrics, firstUses, usage }: LogOptions): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    metrics.http.arrived();
    const state = stateOf(res);
    state.requestId = requestIdOf(req);
    res.setHeader("X-Request-Id", state.requestId);
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.on("close", () => {
      const { requestId, route, principal, budget, reason, failure } = state;
      const { method } = req;
      // 499: the client went away before the answer was out. A connection that became a WebSocket has its answer.
      const status = res.writableFinished || res.statusCode === 101 ? res.statusCode : 499;
      const ms = performance.now() - startedAt;
      if (principal && status === 200) noteUse(firstUses, req, state);
      if (principal && budget) usage.count(principal, route === "/mcp" ? "mcp" : budget, status === 429);
      metrics.http.answered({ method, route, status, seconds: ms / 1000 });
      const line = {
        method,
        route: route ?? noRoute,
        status,
        ms: Math.round(ms * 100) / 100,
        requestId,
        userId: principal?.userId ?? state.userId,
        reason,
      };
      if (failure === undefined) logger.info(line);
      else logger.error({ ...line, failure: describeFailure(failure) });
    });
    next();
  };
}

/** Extensions read, too: their requests name an origin, as those of every page. */
function noteUse(firstUses: Pick<FirstUses, "note">, { method, headers }: Request, { route, principal }: RequestState): void {
  if (!principal) return;
  if (route === "/mcp") firstUses.note(principal.userId, "agent");
  else if (method === "GET" && route?.startsWith("/context") && headers.origin === undefined) firstUses.note(principal.userId, "api");
}

const safeId = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own `X-Request-Id` if it is safe to repeat, else a new one. */
function requestIdOf(req: Request): string {
  const given = req.headers["x-request-id"];
  return typeof given === "string" && safeId.test(given) ? given : randomUUID();
}
