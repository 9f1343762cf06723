import { initTRPC } from "@trpc/server";
import type { ErrorCode } from "@periscope/schemas";
import type { Principal } from "../access/access.service.js";
import type { Scope } from "../access/access.store.js";
import type { RateLimits } from "../config/config.js";
import type { Deps } from "../deps.js";
import { forbidden } from "../domain-error.js";

/** What a procedure works with: the services, the caller, and the status of the answer. */
export interface RequestContext {
  services: Deps;
  principal: Principal;
  /** Chooses one of the endpoint's success statuses; the default is the first. */
  setStatus: (status: number) => void;
  /** Takes one more request from a budget of the user. Throws `rate_limited` past it. */
  spend: (budget: EndpointMeta["budget"]) => Promise<void>;
  /** The body as it arrives, for endpoints with a `bodyType`. */
  upload?: (() => AsyncGenerator<Uint8Array>) | undefined;
  /** Aborted when the request is answered or its client is gone. */
  signal?: AbortSignal | undefined;
}

/** A schema of zod or zod/mini, as far as the server looks into it. */
export interface AnySchema {
  _zod: { def: { type: string } };
}

/** The source of an endpoint's REST route, rate limit, scope and OpenAPI text. */
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
  /** The key needs one of them, or all with `needsEveryScope`. Empty: any valid key will do. */
  scopes: readonly Scope[];
  needsEveryScope?: true;
  budget: Exclude<keyof RateLimits, "anonymous">;
  /** Success statuses, the usual one first, with the schema of the body (null: no body). */
  success: ReadonlyArray<{ status: number; description: string; body: AnySchema | null; type?: string }>;
  /** Whether a POST carries no body. */
  hasNoBody?: true;
  /** Whether a request can be answered by a connection of the live channel; the procedure answers all others. */
  isLive?: true;
  /** Error codes beside those that every endpoint can answer. */
  errors?: readonly ErrorCode[];
  /** Whether keys with a maximum privacy level below `restricted` are refused. */
  refusesBoundKeys?: true;
  /** Documented schema of the request body, if the procedure checks it in parts. */
  body?: AnySchema;
  /** Media type of a body that the procedure reads as it arrives; its input are the query parameters then. JSON without it. */
  bodyType?: string;
}

const t = initTRPC.context<RequestContext>().meta<EndpointMeta>().create({ isDev: false });

export const router = t.router;

/** The only way to create a procedure: scope, budget and statuses cannot be left out. */
export function endpoint(meta: EndpointMeta) {
  return t.procedure.meta(meta).use(({ ctx, next }) => {
    requireAccess(meta, ctx.principal);
    return next();
  });
}

type Requirements = Pick<EndpointMeta, "scopes" | "needsEveryScope" | "refusesBoundKeys">;

/** Throws `forbidden` unless the key has the scopes that the endpoint needs, and no maximum privacy level where that is refused. */
export function requireAccess(meta: Requirements, { scopes: own, maxPrivacyLevel }: Principal): void {
  const { scopes, needsEveryScope, refusesBoundKeys } = meta;
  const missing = scopes.filter((scope) => !own.has(scope));
  const isRefused = needsEveryScope ? missing.length > 0 : scopes.length > 0 && missing.length === scopes.length;
  if (isRefused) throw forbidden(`This key lacks the scope ${missing.join(needsEveryScope ? " and " : " or ")}. Use a key that has it.`);
  if (refusesBoundKeys && maxPrivacyLevel !== "restricted")
    throw forbidden(
      "This key has a maximum privacy level and may not do this, because it could show what the user hides. Use a key without one.",
    );
}

/** Whether requests of the endpoint carry a body. */
export function takesBody({ openapi, body, hasNoBody }: EndpointMeta): boolean {
  return !hasNoBody && (openapi.method === "POST" || openapi.method === "PUT" || body !== undefined);
}
