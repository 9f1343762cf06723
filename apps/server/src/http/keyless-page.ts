import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed } from "../domain-error.js";
import { stateOf } from "./request-state.js";
import { sendError } from "./send.js";

type Page = (req: Request, res: Response) => void | Promise<void>;

/** A page that needs no key and draws on no budget, so without rate headers. @param path as the log and a 405 name it */
export function keylessPage(path: string, page: Page): RequestHandler {
  return (req, res) => {
    const state = stateOf(res);
    state.route = path;
    if (req.method === "GET" || req.method === "HEAD") return page(req, res);
    sendError(res, state, methodNotAllowed(path, ["GET", "HEAD"]));
  };
}
