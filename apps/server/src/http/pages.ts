import { BlockList, isIPv4 } from "node:net";
import type { Request, RequestHandler, Response } from "express";
import type { Deps } from "../deps.js";
import { methodNotAllowed, unavailable } from "../domain-error.js";
import { knownReason, sendError, sendJson, shuttingDown } from "./errors.js";
import { stateOf } from "./request-log.js";

/** Answers GET and HEAD of one path. */
export type Page = (req: Request, res: Response) => void | Promise<void>;

/** Serves pages by their exact path: without a key, a budget or rate headers. */
export function keylessPages(
  pages: ReadonlyMap<string, { route: string; page: Page; isVisible?: (req: Request) => boolean }>,
): RequestHandler {
  return (req, res, next) => {
    const found = pages.get(req.path);
    if (!found || found.isVisible?.(req) === false) return next();
    stateOf(res).route = found.route;
    if (req.method === "GET" || req.method === "HEAD") return found.page(req, res);
    sendError(res, methodNotAllowed(found.route, ["GET", "HEAD"]));
  };
}

/** `GET /healthz`: the process answers. */
export const healthz: Page = (_req, res) => sendJson(res, 200, { status: "ok" });

const freshMs = 2_000;

/** `GET /readyz`: 200 while requests can be served, else 503 with the reason. Checks the database at most every 2 seconds. */
export function readyz({ ping, isDraining }: Pick<Deps, "ping" | "isDraining">): Page {
  let check: Promise<unknown> | undefined;
  let checkedAt = -Infinity;
  return async (_req, res) => {
    if (isDraining()) return sendError(res, shuttingDown);
    const now = performance.now();
    if (!check || now - checkedAt > freshMs) {
      checkedAt = now;
      check = ping().then(
        () => undefined,
        (error: unknown) => error ?? new Error("the database check failed without an error"),
      );
    }
    const failure = await check;
    if (failure === undefined) return sendJson(res, 200, { status: "ready" });
    sendError(res, unavailable(knownReason(failure) ?? "The database does not respond.", 5, failure));
  };
}

/** `GET /metrics`, in Prometheus' text format. */
export function metricsPage({ metrics }: Pick<Deps, "metrics">): Page {
  return async (_req, res) => {
    const { contentType, text } = await metrics.exposition();
    res.setHeader("Cache-Control", "no-store");
    res.setHeader("Content-Type", contentType);
    res.end(text);
  };
}

/** Who may read `/metrics`; for all others the path does not exist. */
export function metricsReader({ metricsReaders }: Deps["http"]): (req: Request) => boolean {
  return (req) => metricsReaders === "any" || (metricsReaders === "local" && isLocal(req));
}

/** A reverse proxy sends at least one of them: its clients must not pass for this machine. */
const forwardingHeaders = ["forwarded", "via", "x-forwarded-for", "x-real-ip"];

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function isLocal({ socket: { remoteAddress }, headers }: Request): boolean {
  if (remoteAddress === undefined || forwardingHeaders.some((name) => headers[name] !== undefined)) return false;
  // BlockList also knows IPv4 addresses written as IPv6 (::ffff:127.0.0.1).
  return loopback.check(remoteAddress, isIPv4(remoteAddress) ? "ipv4" : "ipv6");
}
