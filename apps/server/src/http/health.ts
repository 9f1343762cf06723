import type { Request, Response } from "express";
import type { Deps } from "../deps.js";
import { unavailable } from "../domain-error.js";
import { stateOf } from "./request-state.js";
import { sendError, sendJson, shuttingDown } from "./send.js";

/** `GET /healthz`: the process answers. */
export function healthz(_req: Request, res: Response): void {
  sendJson(res, 200, { status: "ok" });
}

/** `GET /readyz`: requests can be served; 503 while the database does not answer, and once shutting down has begun. */
export function readyz({ ping, isDraining }: Pick<Deps, "ping" | "isDraining">): (req: Request, res: Response) => Promise<void> {
  return async (_req, res) => {
    const state = stateOf(res);
    if (isDraining()) return sendError(res, state, shuttingDown);
    try {
      await ping();
      sendJson(res, 200, { status: "ready" });
    } catch (error) {
      sendError(res, state, unavailable("The database does not answer.", 5, error));
    }
  };
}
