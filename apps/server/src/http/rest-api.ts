import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import type { Request, RequestHandler, Response } from "express";
import type { Principal } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import { methodNotAllowed, notFound } from "../domain-error.js";
import { requireAccess } from "../trpc/endpoint.js";
import { admit } from "./admission.js";
import { sendJson } from "./errors.js";
import { decodePathParameter, readJsonBody, readQuery } from "./input.js";
import { stateOf } from "./request-log.js";
import { type Route, type RouteMatch, RouteTable } from "./route-table.js";

/**
 * The REST interface of a tRPC router. In this order: key, rate limit, route, scope, input, procedure. So a request without a key costs
 * no parsing, and every answer carries the rate headers. Rejections go to the app's error handler.
 */
export function createRestApi(router: AnyRouter, deps: Deps): RequestHandler {
  const routes = new RouteTable(router);

  return async (req, res) => {
    const { path, search } = splitUrl(req.url);
    const match = routes.match(path);
    if (match) stateOf(res).route = match.pattern;
    const route = match?.byMethod.get(req.method === "HEAD" ? "GET" : req.method);
    const principal = await admit(req, res, deps, route?.meta.budget ?? "read");
    if (!match) throw notFound("There is nothing at this path. See /api/v1/docs.");
    if (!route) throw methodNotAllowed(match.pattern, methodsOf(match));
    // The procedure checks the scope too. Checked here, a key without it costs no parsing and learns nothing about its input.
    requireAccess(route.meta, principal);
    const input = await readInput(route, { req, res, search, parameter: match.parameter });
    const { status, body } = await call(route, principal, input);
    sendJson(res, status, body);
  };

  async function call({ name, meta }: Route, principal: Principal, input: unknown): Promise<{ status: number; body: unknown }> {
    let status = meta.success[0]?.status ?? 200;
    const body: unknown = await callTRPCProcedure({
      router,
      path: name,
      type: meta.openapi.method === "GET" ? "query" : "mutation",
      getRawInput: async () => input,
      ctx: { services: deps, principal, setStatus: (chosen: number) => void (status = chosen) },
      signal: undefined,
      batchIndex: 0,
    });
    return { status, body };
  }
}

interface InputSource {
  req: Request;
  res: Response;
  search: string;
  parameter: string | undefined;
}

async function readInput({ hasBody, numbers, pathParameter }: Route, { req, res, search, parameter }: InputSource): Promise<unknown> {
  if (hasBody) return readJsonBody(req, res);
  const input = readQuery(search, numbers);
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
