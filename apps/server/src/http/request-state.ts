import type { Request, Response } from "express";
import type { Principal } from "../access/access.service.js";

/** What is known of a request while it is answered; kept on `res.locals`. */
export interface RequestState {
  requestId: string;
  /** Path of the route with its parameter's name; undefined for a path that nothing answers. */
  route?: string;
  principal?: Principal;
  /** What an internal error was caused by, for the log. */
  failure?: unknown;
}

export function stateOf(res: Response): RequestState {
  return res.locals as RequestState;
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's own `X-Request-Id` where it can be repeated safely, or a new one. */
export function requestIdOf(req: Request, newRequestId: () => string): string {
  const given = req.headers["x-request-id"];
  return typeof given === "string" && acceptable.test(given) ? given : newRequestId();
}
