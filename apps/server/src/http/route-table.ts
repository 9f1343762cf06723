import type { AnyRouter } from "@trpc/server";
import { type AnySchema, type EndpointMeta, takesBody } from "../trpc/endpoint.js";

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

/** The operations of a path by method, and the value of its parameter as it stands in the URL. */
export interface RouteMatch {
  byMethod: ReadonlyMap<string, Route>;
  /** The path with its parameter's name, for the log. */
  pattern: string;
  parameter: string | undefined;
}

/** The REST routes of a router, from each procedure's meta. */
export class RouteTable {
  /** By path, or by the path up to its parameter. */
  readonly #fixed = new Map<string, RouteGroup>();
  readonly #prefixed = new Map<string, RouteGroup>();

  constructor(router: AnyRouter) {
    for (const [name, procedure] of Object.entries(router._def.procedures as Record<string, ProcedureLike>)) {
      const { meta, inputs } = procedure._def;
      if (!meta) throw new Error(`the procedure ${name} has no meta; make it with endpoint()`);
      const { method, path } = meta.openapi;
      const [, prefix, pathParameter] = /^(.*\/)\{(\w+)\}$/.exec(path) ?? [];
      const groups = prefix === undefined ? this.#fixed : this.#prefixed;
      const group = groups.get(prefix ?? path) ?? { pattern: path, byMethod: new Map<string, Route>() };
      groups.set(prefix ?? path, group);
      group.byMethod.set(method, { name, meta, pathParameter, numbers: numberKeys(inputs[0]), hasBody: takesBody(meta) });
    }
  }

  /** Every operation. */
  *[Symbol.iterator](): Iterator<Route> {
    for (const { byMethod } of [...this.#fixed.values(), ...this.#prefixed.values()]) yield* byMethod.values();
  }

  match(path: string): RouteMatch | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed) return { ...fixed, parameter: undefined };
    const split = path.lastIndexOf("/") + 1;
    const prefixed = this.#prefixed.get(path.slice(0, split));
    const parameter = path.slice(split);
    return prefixed && parameter !== "" ? { ...prefixed, parameter } : undefined;
  }
}

interface RouteGroup {
  pattern: string;
  byMethod: Map<string, Route>;
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
