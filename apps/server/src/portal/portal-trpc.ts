import { initTRPC, TRPCError } from "@trpc/server";
import type { ErrorBody, ErrorCode } from "@periscope/schemas";
import type { Request, Response } from "express";
import type { SignedIn } from "../accounts/accounts.service.js";
import type { RateLimits } from "../config/config.js";
import type { Deps } from "../deps.js";
import { DomainError, forbidden } from "../domain-error.js";
import { admitAddress, takeBudget } from "../http/admission.js";
import { shuttingDown, toDomainError } from "../http/answers.js";
import { stateOf } from "../http/request-log.js";

/** What a procedure of the portal works with. The origin of the request has been checked. */
export interface PortalContext {
  services: Deps;
  req: Request;
  res: Response;
  /** The person whose session the request has; null without one. */
  session: SignedIn | null;
}

/** A procedure's own facts. */
export interface PortalMeta {
  /** The budget of the user that a call is taken from, as for keys. @default "read" */
  budget?: Exclude<keyof RateLimits, "anonymous">;
}

/** tRPC's word for each error code of the service. */
const rpcCodes: Partial<Record<ErrorCode, TRPCError["code"]>> = {
  bad_request: "BAD_REQUEST",
  unauthorized: "UNAUTHORIZED",
  forbidden: "FORBIDDEN",
  not_found: "NOT_FOUND",
  conflict: "CONFLICT",
  payload_too_large: "PAYLOAD_TOO_LARGE",
  rate_limited: "TOO_MANY_REQUESTS",
  unavailable: "SERVICE_UNAVAILABLE",
};

const t = initTRPC
  .context<PortalContext>()
  .meta<PortalMeta>()
  .create({
    isDev: false,
    // The body of an error is the one of the REST interface, under `data`.
    errorFormatter({ shape, error, ctx }) {
      const { code, message, extra } = toDomainError(error);
      const requestId = ctx && stateOf(ctx.res).requestId;
      const body: Partial<ErrorBody> = { error: code, message, requestId, ...(extra.details && { details: [...extra.details] }) };
      return { ...shape, message, data: { ...shape.data, ...body } };
    },
  });

export const portalRouterOf = t.router;

/** A procedure for anybody. With a session, it is taken from no budget. */
export const free = t.procedure.use(async ({ ctx, next }) => {
  const result = await next();
  if (result.ok || !(result.error.cause instanceof DomainError)) return result;
  const { cause } = result.error;
  const { retryAfterSeconds } = cause.extra;
  if (retryAfterSeconds !== undefined) ctx.res.setHeader("Retry-After", retryAfterSeconds);
  throw new TRPCError({ code: rpcCodes[cause.code] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });
});

/** The header in which a page names the person whom it shows. */
const shownUserHeader = "x-periscope-user";

/** A procedure for anybody, also without a session. It is taken from the budget of the address, since it may be as slow as a password is. */
export const open = free.use(async ({ ctx: { services, req, res, session }, next }) => {
  // Those without a session have been counted.
  if (session) await admitAddress(req, res, services);
  return await next();
});

const notSignedIn = () => new DomainError("unauthorized", "You are not signed in. Sign in, then try again.");

/** What a person agrees to on an old page must not be done for somebody else. Throws `unauthorized`. */
function requireShownUser(req: Request, { userId }: SignedIn): void {
  if ((req.headers[shownUserHeader] ?? userId) !== userId)
    throw new DomainError("unauthorized", "Somebody else has signed in with this browser. Reload the page to go on as that person.");
}

/** Throws `unauthorized` when the session has ended, which what goes on for long asks between its steps. */
export async function requireSignedInStill(deps: Deps, req: Request, { sessionId }: SignedIn): Promise<void> {
  if ((await deps.accounts.signedIn(req))?.sessionId !== sessionId) throw notSignedIn();
}

export const onlyOwner = () => forbidden("Only the owner of this installation may do this.");

/** A procedure for people who are signed in. It is taken from the budget of `meta`. */
export const signedIn = free.use(async ({ ctx, meta, next }) => {
  const { session, services, req, res } = ctx;
  if (!session) throw notSignedIn();
  await takeBudget(res, services, session, meta?.budget ?? "read");
  requireShownUser(req, session);
  const { userId } = session;
  // It is the person: nothing is hidden from them.
  return await next({ ctx: { session, scope: { userId, maxPrivacyLevel: "restricted" as const } } });
});

export const owner = signedIn.use(async ({ ctx, next }) => {
  if (!ctx.session.isOwner) throw onlyOwner();
  return await next();
});

/**
 * The session of a request that is no procedure, taken from a budget of its person. Without one, the request is taken from the budget of
 * its address. Throws `unauthorized`, `rate_limited`, or `unavailable` once shutting down has begun.
 */
export async function requireSession(
  deps: Deps,
  { req, res }: { req: Request; res: Response },
  { route, budget }: { route: string; budget: NonNullable<PortalMeta["budget"]> },
): Promise<SignedIn> {
  stateOf(res).route = route;
  if (deps.isDraining()) throw shuttingDown;
  const session = await deps.accounts.signedIn(req, res);
  if (!session) {
    await admitAddress(req, res, deps);
    throw notSignedIn();
  }
  stateOf(res).userId = session.userId;
  await takeBudget(res, deps, session, budget);
  requireShownUser(req, session);
  return session;
}
