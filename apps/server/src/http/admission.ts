import { isIPv6 } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Request, RequestHandler, Response } from "express";
import cors from "cors";
import type { Principal } from "../access/access.service.js";
import type { Accepted } from "../access/authenticator.js";
import type { RateLimits } from "../config/config.js";
import type { Deps, HttpOptions } from "../deps.js";
import { rateLimited, unauthorized, unauthorizedTicket } from "../domain-error.js";
import type { RateDecision } from "../rates/rate-limiter.js";
import { shuttingDown } from "./answers.js";
import { stateOf } from "./request-log.js";

type UserBudget = Exclude<keyof RateLimits, "anonymous">;

interface Admission {
  budget: UserBudget;
  /** Stands for the key that it was made with. */
  ticket?: string | undefined;
  /** What the request may carry. @default API keys */
  accepts?: Accepted | undefined;
}

/**
 * Authenticates a request and takes it from a budget of its user.
 * Throws `unauthorized`, `rate_limited` (also past a bound of bounds.ts), or `unavailable` once shutting down has begun.
 */
export async function admit(req: Request, res: Response, deps: Deps, { budget, ticket, accepts }: Admission): Promise<Principal> {
  // Asked on arrival: a request that is in flight when shutting down begins is finished.
  const tooLate = deps.isDraining();
  await refuseSpent(req, res, deps, { budget, accepts });
  const address = networkOf(req.ip ?? "");
  if (
    deps.access.mayBeMadeUp(req.headers.authorization) &&
    deps.limiter.recall(`address:${address}`, "anonymous", deps.rateLimits.anonymous)
  )
    await wait(refusalMs);
  const principal =
    ticket === undefined
      ? await deps.access.authenticate(req.headers.authorization, address, accepts)
      : await deps.live.redeemTicket(ticket);
  if (!principal) {
    const decision = await chargeAddress(req, res, deps);
    enforce(deps, "anonymous", decision);
    if (ticket !== undefined && !tooLate) throw unauthorizedTicket();
    throw tooLate ? shuttingDown : unauthorized(/^bearer +\S/i.test(req.headers.authorization ?? ""));
  }
  Object.assign(stateOf(res), { principal, budget });
  await takeBudget(res, deps, principal, budget);
  if (tooLate) throw shuttingDown;
  deps.load.enter(res, principal.userId);
  return principal;
}

/** Whoever goes on past a budget is answered after this time, in milliseconds: a client that waits for each answer cannot flood. */
const refusalMs = 250;

/** Refuses a user past the budget from memory, without reading the key again. Throws `rate_limited`. */
async function refuseSpent(req: Request, res: Response, deps: Deps, { budget, accepts }: Admission): Promise<void> {
  const principal = deps.access.recallPrincipal(req.headers.authorization, accepts);
  const refusal = principal && deps.limiter.recall(principal.userId, budget, deps.rateLimits[budget]);
  if (!refusal) return;
  Object.assign(stateOf(res), { principal, budget });
  setRateHeaders(res, refusal);
  await wait(refusalMs);
  enforce(deps, budget, refusal);
}

/** Takes one request from a budget of the user and sets the rate headers. Throws `rate_limited` past the budget. */
export async function takeBudget(res: Response, deps: Deps, { userId }: Pick<Principal, "userId">, budget: UserBudget): Promise<void> {
  const decision = await deps.limiter.take(userId, budget, deps.rateLimits[budget]);
  setRateHeaders(res, decision);
  enforce(deps, budget, decision);
}

/**
 * Takes a request without a valid key from the budget of its client's address and sets the rate headers, so that keys cannot be
 * guessed at speed. Refuses nothing itself.
 * @param isStoreDown counts in this process only, since the store may not respond
 */
export async function chargeAddress(req: Request, res: Response, deps: Deps, isStoreDown = false): Promise<RateDecision> {
  const decision = await takeAnonymous(req.ip ?? "", deps, isStoreDown);
  setRateHeaders(res, decision);
  return decision;
}

/** The same, and refuses it past the budget. Throws `rate_limited`. */
export async function admitAddress(req: Request, res: Response, deps: Deps): Promise<void> {
  enforce(deps, "anonymous", await chargeAddress(req, res, deps));
}

/** Takes one request from the budget of a client address. */
export function takeAnonymous(
  address: string,
  { limiter, rateLimits }: Pick<Deps, "limiter" | "rateLimits">,
  isStoreDown = false,
): Promise<RateDecision> {
  const take = isStoreDown ? limiter.takeLocally : limiter.take;
  return take(`address:${networkOf(address)}`, "anonymous", rateLimits.anonymous);
}

/** An IPv4 address, or the first 64 bits of one of IPv6: one client usually has all addresses that begin so. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address.replace(/^::ffff:/i, "");
  const [start = "", end] = address.replace(/%.*/, "").split("::");
  const [first, last] = [start, end ?? ""].map((groups) => groups.split(":").filter((group) => group !== ""));
  const zeros = end === undefined ? [] : Array<string>(8 - (first?.length ?? 0) - (last?.length ?? 0)).fill("0");
  return [...(first ?? []), ...zeros, ...(last ?? [])]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

/** The headers that tell a client where it stands in a budget. */
export function rateHeaders({ limit, remaining, resetAt }: RateDecision): Record<string, number> {
  return { "X-RateLimit-Limit": limit, "X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": resetAt };
}

function setRateHeaders(res: Response, decision: RateDecision): void {
  for (const [name, value] of Object.entries(rateHeaders(decision))) res.setHeader(name, value);
}

function enforce({ metrics }: Deps, budget: keyof RateLimits, { allowed, limit, resetInMs }: RateDecision): void {
  if (allowed) return;
  metrics.http.rateLimited(budget);
  // People in the portal and agents read it too, who see no headers.
  throw rateLimited(
    `More than ${limit} requests in this minute. Wait until the minute is over, then retry.`,
    Math.max(1, Math.ceil(resetInMs / 1000)),
  );
}

/** The host name that a request names in its `Host` header, without the port. */
export function hostName({ headers: { host = "" } }: Request): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

/** Whether a request names a loopback address. A page of another name that an attacker pointed to this machine (DNS rebinding) does not. */
export function namesThisMachine(req: Request): boolean {
  return loopbackName.test(hostName(req));
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of the server as a client of OAuth sees it, without a trailing slash. While the public address is one of this machine, it
 * has the name that the client used: `localhost` and `127.0.0.1` are the same server.
 */
export function issuerOf(req: Request, { publicUrl }: Pick<HttpOptions, "publicUrl">): string {
  const { origin, protocol, hostname } = new URL(publicUrl);
  return loopbackName.test(hostname) && namesThisMachine(req) ? `${protocol}//${req.headers.host ?? ""}` : origin;
}

/** Headers of MCP's streamable HTTP transport. */
const mcpHeaders = ["Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"];

const extensionOrigin = /^(?:chrome|moz|safari-web)-extension:\/\//;

export function originCheck(http: Pick<HttpOptions, "corsOrigins" | "corsExtensions">): (origin: string) => boolean {
  const listed = new Set(http.corsOrigins);
  return (origin) => listed.has(origin) || (http.corsExtensions && extensionOrigin.test(origin));
}

/** Cross-origin access for the origins that the operator allows; none by default. */
export function crossOrigin(http: HttpOptions): RequestHandler {
  const isAllowed = originCheck(http);
  const allow = cors({
    methods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
    allowedHeaders: ["Authorization", "Content-Type", "Content-Encoding", "X-Request-Id", "Last-Event-ID", ...mcpHeaders],
    exposedHeaders: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id", "Retry-After", "WWW-Authenticate"],
    maxAge: 600,
    origin: true,
  });
  return (req, res, next) => {
    const { origin } = req.headers;
    if (http.corsOrigins.length > 0 || http.corsExtensions) res.vary("Origin");
    if (origin !== undefined && isAllowed(origin)) allow(req, res, next);
    else next();
  };
}
