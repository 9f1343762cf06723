import { type AnyRouter, callTRPCProcedure } from "@trpc/server";
import type { RequestHandler } from "express";
import type { Deps } from "../deps.js";
import { methodNotAllowed, notFound } from "../domain-error.js";
import { type AnySchema, type EndpointMeta, type RequestContext, requireAccess, takesBody } from "../trpc/endpoint.js";
import { admit, takeBudget } from "./admission.js";
import { StreamedAnswer } from "../trpc/streamed-answer.js";
import { sendJson } from "./answers.js";
import { decodePathParameter, readJsonBody, readQuery } from "./input.js";
import { LiveEndpoint } from "./live-endpoint.js";
import { stateOf } from "./request-log.js";
import { readUpload, sendStream } from "./streaming.js";

/** The version prefix of the interface. */
export const apiPrefix = "/api/v1";

/**
 * The REST interface of a tRPC router. In this order: key, rate limit, route, scope, input, procedure. So a request without a key costs
 * no parsing, and every answer carries the rate headers. Rejections go to the app's error handler.
 */
export function createRestApi(router: AnyRouter, deps: Deps): RequestHandler {
  const routes = new RouteTable(router);
  const live = new LiveEndpoint(deps);

  return deps.load.track(async (req, res) => {
    const { path, search } = splitUrl(req.url);
    const match = routes.match(path);
    if (match) stateOf(res).route = match.pattern;
    const route = match?.byMethod.get(req.method === "HEAD" ? "GET" : req.method);
    const ticket = route?.meta.isLive ? live.checkHandshake(req) : undefined;
    const principal = await admit(req, res, deps, { budget: route?.meta.budget ?? "read", ticket });
    if (!match) throw notFound(`There is nothing at this path. See ${apiPrefix}/docs.`);
    if (!route) throw methodNotAllowed(match.pattern, methodsOf(match));
    // The procedure checks the scope too. Checked here, a key without it costs no parsing and learns nothing about its input.
    requireAccess(route.meta, principal);
    const readsJson = route.hasBody && route.meta.bodyType === undefined;
    const input = readsJson ? await readJsonBody(req, res) : readParameters(route, search, match.parameter);
    if (route.meta.isLive && live.open(req, res, principal, input)) return;
    const spend: RequestContext["spend"] = (budget) => takeBudget(res, deps, principal, budget);
    const gone = new AbortController();
    res.once("close", () => gone.abort());
    const { status, body } = await call(route, { principal, spend, upload: () => readUpload(req, res), signal: gone.signal }, input);
    if (body instanceof StreamedAnswer) await sendStream(req, res, body);
    else sendJson(res, status, body);
  });

  async function call({ name, meta }: Route, caller: Omit<RequestContext, "services" | "setStatus">, input: unknown) {
    let status = meta.success[0]?.status ?? 200;
    const body: unknown = await callTRPCProcedure({
      router,
      path: name,
      type: meta.openapi.method === "GET" ? "query" : "mutation",
      getRawInput: async () => input,
      ctx: { ...caller, services: deps, setStatus: (chosen: number) => void (status = chosen) },
      signal: undefined,
      batchIndex: 0,
    });
    return { status, body };
  }
}

function readParameters({ numbers, pathParameter }: Route, search: string, parameter: string | undefined): Record<string, unknown> {
  const input = readQuery(search, numbers);
  if (pathParameter !== undefined && parameter !== undefined) input[pathParameter] = decodePathParameter(pathParameter, parameter);
  return input;
}

function methodsOf({ byMethod }: RouteGroup): string[] {
  return [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

function splitUrl(url: string): { path: string; search: string } {
  const mark = url.indexOf("?");
  return mark < 0 ? { path: url, search: "" } : { path: url.slice(0, mark), search: url.slice(mark + 1) };
}

export interface Route {
  name: string;
  meta: EndpointMeta;
  /** Name of the parameter that ends the path, if one does. */
  pathParameter: string | undefined;
  numbers: ReadonlySet<string>;
  hasBody: boolean;
}

interface RouteGroup {
  /** The path with its parameter's name, for the log. */
  pattern: string;
  byMethod: Map<string, Route>;
}

/** The REST routes of a router, from each procedure's meta. */
export class RouteTable {
  /** By path; a space, which no path has, stands for the parameter at its end. */
  readonly #groups = new Map<string, RouteGroup>();

  constructor(router: AnyRouter) {
    for (const [name, procedure] of Object.entries(router._def.procedures as Record<string, ProcedureLike>)) {
      const { meta, inputs } = procedure._def;
      if (!meta) throw new Error(`the procedure ${name} has no meta; make it with endpoint()`);
      const { method, path } = meta.openapi;
      const [, pathParameter] = /\{(\w+)\}$/.exec(path) ?? [];
      const key = path.replace(/\{\w+\}$/, " ");
      if (key.includes("{")) throw new Error(`the path ${path} has a parameter that does not end it, which is not served`);
      const group = this.#groups.get(key) ?? { pattern: path, byMethod: new Map<string, Route>() };
      this.#groups.set(key, group);
      group.byMethod.set(method, { name, meta, pathParameter, numbers: numberKeys(inputs[0]), hasBody: takesBody(meta) });
    }
  }

  *[Symbol.iterator](): Iterator<Route> {
    for (const { byMethod } of this.#groups.values()) yield* byMethod.values();
  }

  /** The operations of a path, and the value of its parameter as it stands in the URL. */
  match(path: string): (RouteGroup & { parameter?: string }) | undefined {
    const fixed = this.#groups.get(path);
    if (fixed) return fixed;
    const split = path.lastIndexOf("/") + 1;
    const group = this.#groups.get(`${path.slice(0, split)} `);
    const parameter = path.slice(split);
    return group && parameter !== "" ? { ...group, parameter } : undefined;
  }
}

interface ProcedureLike {
  _def: { meta?: EndpointMeta; inputs: readonly AnySchema[] };
}

interface SchemaDef {
  type: string;
  shape?: Record<string, { _zod: { def: SchemaDef } }>;
  innerType?: { _zod: { def: SchemaDef } };
}

/** The keys of an object schema that take a number, also inside defaults and optionals. */
function numberKeys(schema: AnySchema | undefined): ReadonlySet<string> {
  const def: SchemaDef | undefined = schema?._zod.def;
  const shape = def?.shape ?? {};
  return new Set(Object.keys(shape).filter((key) => innermost(shape[key]?._zod.def)?.type === "number"));
}

function innermost(def: SchemaDef | undefined): SchemaDef | undefined {
  return def?.innerType ? innermost(def.innerType._zod.def) : def;
}
