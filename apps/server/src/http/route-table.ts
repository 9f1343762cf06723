import type { AnyRouter } from "@trpc/server";
import { type AnySchema, type EndpointMeta, takesBody } from "../trpc/endpoint.js";
import { numberKeys } from "./query-input.js";

/** One operation of the REST interface. */
export interface Route {
  /** Name of the procedure in the router. */
  name: string;
  meta: EndpointMeta;
  /** Name of the parameter that ends the path, if one does. */
  pathParameter: string | undefined;
  /** Query parameters that are numbers. */
  numbers: ReadonlySet<string>;
  hasBody: boolean;
}

/** What a path is: its operations by method, and the value of its parameter as it stands in the URL. */
export interface RouteMatch {
  byMethod: ReadonlyMap<string, Route>;
  /** The path with its parameter's name, for the log. */
  pattern: string;
  parameter: string | undefined;
}

/** The REST routes of a router, from each procedure's meta. */
export class RouteTable {
  readonly #fixed = new Map<string, Map<string, Route>>();
  readonly #prefixed = new Map<string, { pattern: string; byMethod: Map<string, Route> }>();

  constructor(router: AnyRouter) {
    for (const [name, procedure] of Object.entries(router._def.procedures as Record<string, ProcedureLike>)) {
      const { meta, inputs } = procedure._def;
      if (!meta) throw new Error(`the procedure ${name} has no meta; make it with endpoint()`);
      const { method, path } = meta.openapi;
      const parameter = /^(.*\/)\{(\w+)\}$/.exec(path);
      const route = { name, meta, pathParameter: parameter?.[2], numbers: numberKeys(inputs[0]), hasBody: takesBody(meta) };
      this.#methodsOf(path, parameter?.[1]).set(method, route);
    }
  }

  /** All operations, for tests and documents that must not miss one. */
  *[Symbol.iterator](): Iterator<Route> {
    for (const byMethod of this.#fixed.values()) yield* byMethod.values();
    for (const { byMethod } of this.#prefixed.values()) yield* byMethod.values();
  }

  match(path: string): RouteMatch | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed) return { byMethod: fixed, pattern: path, parameter: undefined };
    const split = path.lastIndexOf("/") + 1;
    const prefixed = this.#prefixed.get(path.slice(0, split));
    const parameter = path.slice(split);
    return prefixed && parameter !== "" ? { ...prefixed, parameter } : undefined;
  }

  #methodsOf(path: string, prefix: string | undefined): Map<string, Route> {
    if (prefix === undefined) {
      const byMethod = this.#fixed.get(path) ?? new Map<string, Route>();
      this.#fixed.set(path, byMethod);
      return byMethod;
    }
    const entry = this.#prefixed.get(prefix) ?? { pattern: path, byMethod: new Map<string, Route>() };
    this.#prefixed.set(prefix, entry);
    return entry.byMethod;
  }
}

interface ProcedureLike {
  _def: { meta?: EndpointMeta; inputs: readonly AnySchema[] };
}
