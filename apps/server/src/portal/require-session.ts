import type { Request, Response } from "express";
import type { SignedIn } from "../accounts/accounts.service.js";
import type { RateLimits } from "../config/config.js";
import type { Deps } from "../deps.js";
import { admitAddress, takeBudget } from "../http/admission.js";
import { shuttingDown } from "../http/errors.js";
import { stateOf } from "../http/request-log.js";
import { notSignedIn } from "./portal-trpc.js";

/**
 * The session of a request that is no procedure, taken from a budget of its person. Without one, the request is taken from the budget of
 * its address. Throws `unauthorized`, `rate_limited`, or `unavailable` once shutting down has begun.
 */
export async function requireSession(
  deps: Deps,
  { req, res }: { req: Request; res: Response },
  budget: Exclude<keyof RateLimits, "anonymous">,
): Promise<SignedIn> {
  if (deps.isDraining()) throw shuttingDown;
  const session = await deps.accounts.signedIn(req, res);
  if (!session) {
    await admitAddress(req, res, deps);
    throw notSignedIn();
  }
  stateOf(res).userId = session.userId;
  await takeBudget(res, deps, session, budget);
  return session;
}
