import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import type { Request, RequestHandler, Response } from "express";
import type { Principal } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import { methodNotAllowed, notFound } from "../domain-error.js";
import { requireAccess } from "../trpc/endpoint.js";
import { identify, takeAnonymous, takeBudget } from "./admission.js";
import { readJsonBody } from "./json-body.js";
import { decodePathParameter, queryInput } from "./query-input.js";
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
    const budget = route?.meta.budget ?? "read";
    await takeBudget(res, deps, principal, budget);
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
