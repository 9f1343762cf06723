import type { Request, Response } from "express";
import type { Principal } from "../access/access.service.js";
import type { Deps } from "../deps.js";
import { DomainError } from "../domain-error.js";
import { type RateDecision, rateHeaders } from "./rate-limiter.js";
import { shuttingDown } from "./send.js";

/** Whose key the request carries. Throws `unauthorized` without one, having drawn on the budget of the client's address. */
export async function identify(req: Request, res: Response, { deps, tooLate }: { deps: Deps; tooLate: boolean }): Promise<Principal> {
  const principal = await deps.access.authenticate(req.headers.authorization);
  if (principal) return principal;
  takeAnonymous(req, res, deps, true);
  if (tooLate) throw shuttingDown;
  res.setHeader("WWW-Authenticate", "Bearer");
  throw new DomainError("unauthorized", "A valid API key is needed; send it as Authorization: Bearer <key>.");
}

/** Draws on the budget of the client's address, so that keys cannot be guessed at speed. */
export function takeAnonymous(req: Request, res: Response, deps: Deps, enforce = false): void {
  const decision = deps.anonymousLimiter.take(req.ip ?? "", "anonymous", deps.rateLimits.anonymous);
  tellRate(res, decision);
  if (enforce) enforceRate(deps, "anonymous", decision);
}

/** Draws on a budget of the user, tells the client where it stands, and throws `rate_limited` past the budget. */
export async function takeBudget(res: Response, deps: Deps, { userId }: Principal, budget: UserBudget): Promise<void> {
  const decision = await deps.limiter.take(userId, budget, deps.rateLimits[budget]);
  tellRate(res, decision);
  enforceRate(deps, budget, decision);
}

type UserBudget = Exclude<keyof Deps["rateLimits"], "anonymous">;

function tellRate(res: Response, decision: RateDecision): void {
  for (const [name, value] of Object.entries(rateHeaders(decision))) res.setHeader(name, value);
}

function enforceRate({ metrics }: Deps, budget: keyof Deps["rateLimits"], { allowed, limit, resetInMs }: RateDecision): void {
  if (allowed) return;
  metrics.http.rateLimited(budget);
  const retryAfterSeconds = Math.max(1, Math.ceil(resetInMs / 1000));
  throw new DomainError("rate_limited", `More than ${limit} requests in this minute; wait until X-RateLimit-Reset, then retry.`, {
    retryAfterSeconds,
  });
}
