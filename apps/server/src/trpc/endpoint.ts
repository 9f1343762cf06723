import { initTRPC } from "@trpc/server";
import type { ErrorCode } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Scope } from "../access/scope.js";
import type { RateLimits } from "../config/config.js";
import type { Deps } from "../deps.js";
import { forbidden } from "../domain-error.js";

/** What a procedure works with: the services, who asks, and the status of its answer. */
export interface RequestContext {
  services: Pick<Deps, "contexts" | "rules" | "search" | "sync">;
  principal: Principal;
  /** Chooses the status among the endpoint's; without a call it is the first one. */
  setStatus: (status: number) => void;
}

/** A schema of zod or zod/mini, as far as this server looks into it. */
export interface AnySchema {
  _zod: { def: { type: string } };
}

/** Everything that the REST route, the rate limit, the key's scope and the OpenAPI text of an endpoint come from. */
export interface EndpointMeta {
  /** In the shape of trpc-to-openapi's meta. */
  openapi: {
    method: "GET" | "POST" | "PUT" | "DELETE";
    path: `/${string}`;
    operationId: string;
    summary: string;
    description: string;
    tags: readonly string[];
  };
  /** Scopes of which the key needs one, unless it needs them all. */
  scopes: readonly [Scope, ...Scope[]];
  /** Whether the key needs every one of the scopes. */
  needsEveryScope?: true;
  /** The rate-limit budget that a request draws on. */
  budget: Exclude<keyof RateLimits, "anonymous">;
  /** Success statuses, the usual one first, with the schema of the body (null: no body). */
  success: ReadonlyArray<{ status: number; description: string; body: AnySchema | null }>;
  /** Error codes beyond those that every endpoint can answer. */
  errors: readonly ErrorCode[];
  /** Whether a key that is bound to a privacy level below `restricted` is refused. */
  refusesBoundKeys?: true;
  /** Documented schema of the request body, where the procedure checks it in parts. */
  body?: AnySchema;
}

const t = initTRPC.context<RequestContext>().meta<EndpointMeta>().create({ isDev: false });

export const router = t.router;

/** The only way to make a procedure: scope, budget and statuses cannot be left out. */
export function endpoint(meta: EndpointMeta) {
  return t.procedure.meta(meta).use(({ ctx, next }) => {
    requireAccess(meta, ctx.principal);
    return next();
  });
}

type Demands = Pick<EndpointMeta, "scopes" | "needsEveryScope" | "refusesBoundKeys">;

/** Throws `forbidden` unless the key has the scopes that the endpoint asks for, and no bound where the endpoint takes none. */
export function requireAccess(meta: Demands, { scopes: own, maxPrivacyLevel }: Principal): void {
  const { scopes, needsEveryScope, refusesBoundKeys } = meta;
  const lacking = scopes.filter((scope) => !own.has(scope));
  if (lacking.length > (needsEveryScope ? 0 : scopes.length - 1))
    throw forbidden(`This key lacks the scope ${lacking.join(needsEveryScope ? " and " : " or ")}; use a key that has it.`);
  if (refusesBoundKeys && maxPrivacyLevel !== "restricted")
    throw forbidden("This key is bound to a privacy level, and the rules name what the user wants hidden; use a key without a bound.");
}

/** Whether requests of the endpoint carry a body. */
export function takesBody({ openapi }: EndpointMeta): boolean {
  return openapi.method === "POST" || openapi.method === "PUT";
}
