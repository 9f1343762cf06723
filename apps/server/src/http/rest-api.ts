import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import type { Request, RequestHandler, Response } from "express";
import type { Principal } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import { DomainError, methodNotAllowed, notFound } from "../domain-error.js";
import { requireAccess } from "../trpc/endpoint.js";
import { readJsonBody } from "./json-body.js";
import { decodePathParameter, queryInput } from "./query-input.js";
import { rateHeaders } from "./rate-limiter.js";
import { stateOf } from "./request-state.js";
import { type Route, type RouteMatch, RouteTable } from "./route-table.js";
import { sendError, sendJson, shuttingDown } from "./send.js";

interface RestApiOptions {
  deps: Deps;
  /** Pages under the same prefix that need no key and draw on no budget, by path. */
  keyless: ReadonlyMap<string, RequestHandler>;
}

/**
 * The REST interface of a tRPC router. In this order: who asks, the rate limit, the route, the key's scope, the body, the procedure;
 * so a request without a key costs no parsing, and every answer carries the rate-limit headers.
 */
export function createRestApi(router: AnyRouter, { deps, keyless }: RestApiOptions): RequestHandler {
  const routes = new RouteTable(router);
  const services = { contexts: deps.contexts, rules: deps.rules, search: deps.search, sync: deps.sync };

  async function answer(req: Request, res: Response): Promise<void> {
    const { path, search } = splitUrl(req.url);
    const match = routes.match(path);
    const state = stateOf(res);
    if (match) state.route = match.pattern;
    // Asked at its arrival: what is in flight when the end comes is finished.
    const tooLate = deps.isDraining();
    const route = match?.byMethod.get(req.method === "HEAD" ? "GET" : req.method);
    const principal = await identify(req, res, { deps, tooLate });
    state.principal = principal;
    spend(res, deps, { subject: principal.userId, budget: route?.meta.budget ?? "read" });
    if (tooLate) throw shuttingDown;
    if (!match) throw notFound("There is nothing at this path; /api/v1/docs lists what there is.");
    if (!route) throw methodNotAllowed(match.pattern, methodsOf(match));
    // The procedure checks it too; here it costs a key without the scope no parsing, and tells it nothing of its input.
    requireAccess(route.meta, principal);
    const input = await inputOf(route, { req, res, search, parameter: match.parameter });
    await run(route, { res, principal, input });
  }

  async function run(route: Route, { res, principal, input }: { res: Response; principal: Principal; input: unknown }): Promise<void> {
    let status = route.meta.success[0]?.status ?? 200;
    const body: unknown = await callTRPCProcedure({
      router,
      path: route.name,
      type: route.meta.openapi.method === "GET" ? "query" : "mutation",
      getRawInput: async () => input,
      ctx: { services, principal, setStatus: (chosen: number) => void (status = chosen) },
      signal: undefined,
      batchIndex: 0,
    });
    sendJson(res, status, body);
  }

  return (req, res, next) => {
    const page = keyless.get(req.path);
    if (page) return page(req, res, next);
    answer(req, res).catch((error: unknown) => {
      if (!res.hasHeader("X-RateLimit-Limit")) takeAnonymous(req, res, deps);
      sendError(res, stateOf(res), error);
    });
  };
}

async function identify(req: Request, res: Response, { deps, tooLate }: { deps: Deps; tooLate: boolean }): Promise<Principal> {
  const principal = await deps.access.authenticate(req.headers.authorization);
  if (principal) return principal;
  takeAnonymous(req, res, deps, true);
  if (tooLate) throw shuttingDown;
  res.setHeader("WWW-Authenticate", "Bearer");
  throw new DomainError("unauthorized", "A valid API key is needed; send it as Authorization: Bearer <key>.");
}

/** Draws on the budget of the client's address, so that keys cannot be guessed at speed. */
export function takeAnonymous(req: Request, res: Response, deps: Deps, enforce = false): void {
  spend(res, deps, { subject: req.ip ?? "", budget: "anonymous", enforce });
}

interface Spending {
  subject: string;
  budget: keyof Deps["rateLimits"];
  enforce?: boolean;
}

function spend(res: Response, { limiter, rateLimits, clock, metrics }: Deps, { subject, budget, enforce = true }: Spending): void {
  const decision = limiter.take(subject, budget, rateLimits[budget]);
  for (const [name, value] of Object.entries(rateHeaders(decision))) res.setHeader(name, value);
  const { allowed, limit, resetAt } = decision;
  if (allowed || !enforce) return;
  metrics.http.rateLimited(budget);
  const retryAfterSeconds = Math.max(1, Math.ceil(resetAt - clock() / 1000));
  throw new DomainError("rate_limited", `More than ${limit} requests in this minute; wait until X-RateLimit-Reset, then retry.`, {
    retryAfterSeconds,
  });
}

interface InputSource {
  req: Request;
  res: Response;
  search: string;
  parameter: string | undefined;
}

async function inputOf(route: Route, { req, res, search, parameter }: InputSource): Promise<unknown> {
  if (route.hasBody) return readJsonBody(req, res);
  const input = queryInput(search, route.numbers);
  const { pathParameter } = route;
  if (pathParameter !== undefined && parameter !== undefined) input[pathParameter] = decodePathParameter(pathParameter, parameter);
  return input;
}

function methodsOf({ byMethod }: RouteMatch): string[] {
  return [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

function splitUrl(url: string): { path: string; search: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, search: "" } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}
