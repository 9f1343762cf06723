import type { RequestHandler } from "express";
import type { Deps } from "../deps.js";
import { unavailable } from "../domain-error.js";
import { stateOf } from "./request-state.js";
import { sendError, sendJson, shuttingDown } from "./send.js";

/** `GET /healthz`: the process answers. */
export const healthz: RequestHandler = (_req, res) => {
  stateOf(res).route = "/healthz";
  sendJson(res, 200, { status: "ok" });
};

/** `GET /readyz`: requests can be served; 503 while the database does not answer, and once shutting down has begun. */
export function readyz({ ping, isDraining }: Pick<Deps, "ping" | "isDraining">): RequestHandler {
  return async (_req, res) => {
    const state = stateOf(res);
    state.route = "/readyz";
    if (isDraining()) return sendError(res, state, shuttingDown);
    try {
      await ping();
      sendJson(res, 200, { status: "ready" });
    } catch (error) {
      sendError(res, state, unavailable("The database does not answer.", 5, error));
    }
  };
}
