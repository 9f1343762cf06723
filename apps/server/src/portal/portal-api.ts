import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import express, { type Request, type RequestHandler, type Response, type Router } from "express";
import { authPath, oidcProvider } from "../accounts/auth.js";
import { exchangeCode } from "../accounts/pairing.service.js";
import { setCookies, toHeaders } from "../accounts/accounts.service.js";
import type { Deps } from "../deps.js";
import { DomainError, forbidden, internalError, notFound } from "../domain-error.js";
import { admitAddress, hostName, namesThisMachine } from "../http/admission.js";
import { codeOfStatus, noteFailure, sendJson, shuttingDown, toDomainError } from "../http/answers.js";
import { anonymousBodyBytesMax, readJsonBody } from "../http/input.js";
import { streamEvents } from "../http/live-endpoint.js";
import { stateOf } from "../http/request-log.js";
import { eraseUser, exportDownload, importUpload } from "./data-transfer.js";
import { portalRouter } from "./portal-router.js";
import { requireSession } from "./portal-trpc.js";

/** Bytes of a request at most with a session. */
const bodyBytesMax = 2_097_152;

/** What better-auth answers of the paths that it has. Everything else goes by procedures, which sign nobody up by themselves. */
const authRoutes = new Set([
  `GET /callback/${oidcProvider}`,
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
  "GET /passkey/list-user-passkeys",
  "POST /passkey/delete-passkey",
]);

/**
 * `/portal`: what the pages of the portal ask for, by the cookie of a session. API keys open nothing here, and sessions open nothing
 * elsewhere. In this order: origin, session, rate limit, procedure.
 */
export function createPortalApi(deps: Deps): Router {
  const portal = express.Router();
  // Before the check of origins: an extension has one of its own, which the code must be for.
  portal.post("/pair", deps.load.track(exchangePairingCode(deps)));
  portal.use(createOriginCheck(deps.http));
  portal.get("/live", followLive(deps));
  portal.get("/export", exportDownload(deps));
  portal.post("/import", importUpload(deps));
  portal.post("/erase", eraseUser(deps));
  portal.use("/auth", deps.load.track(answerAuth(deps)));
  portal.use("/trpc", deps.load.track(answerTrpc(deps)));
  return portal;
}

/**
 * Gives an extension the key for its code, with what `GET /key` would say, so that it need not ask. The key is in no log, and nobody keeps
 * the answer.
 */
function exchangePairingCode(deps: Deps) {
  return async (req: Request, res: Response): Promise<void> => {
    stateOf(res).route = "/portal/pair";
    if (deps.isDraining()) throw shuttingDown;
    await admitAddress(req, res, deps);
    const body = await readJsonBody(req, res, anonymousBodyBytesMax);
    const [code, verifier] = [textOf(body, "code"), textOf(body, "verifier")];
    const { key, record } = await exchangeCode(deps, { code, verifier, origin: req.headers.origin });
    const { userId, name, scopes } = record;
    res.setHeader("Cache-Control", "no-store");
    sendJson(res, 200, { apiKey: key, userId, name, scopes });
  };
}

/** Server-sent events of the live channel, for as long as the session lasts. */
function followLive(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { userId, sessionId } = await requireSession(deps, { req, res }, { route: "/portal/live", budget: "read" });
    const isSignedIn = async () => (await deps.accounts.signedIn(req))?.sessionId === sessionId;
    const reader = { userId, maxPrivacyLevel: "restricted" as const, isSignedIn };
    deps.live.requireRoom(reader);
    streamEvents(deps.live, { req, res }, reader, {});
  };
}

/**
 * Answers what goes to better-auth. If the sign-in of a person whom the identity provider has sent back fails, they are redirected to a page
 * that says why; all other errors are answered as usual.
 */
function answerAuth(deps: Deps) {
  const { accounts, http } = deps;
  return async (req: Request, res: Response): Promise<void> => {
    if (!authRoutes.has(`${req.method} ${req.path}`)) throw notFound("There is nothing at this path.");
    stateOf(res).route = authPath + req.path;
    if (deps.isDraining()) throw shuttingDown;
    await admitAddress(req, res, deps);
    const body = req.method === "POST" ? await readJsonBody(req, res, anonymousBodyBytesMax) : undefined;
    const url = new URL(req.originalUrl, http.publicUrl);
    const headers = toHeaders(req);
    headers.delete("content-length");
    headers.delete("content-encoding");
    const request = new globalThis.Request(url, { method: req.method, headers, body: JSON.stringify(body) ?? null });
    try {
      await sendAuthAnswer(res, await accounts.answer(request));
    } catch (error) {
      if (req.path !== `/callback/${oidcProvider}`) throw error;
      const failure = toDomainError(error);
      noteFailure(stateOf(res), failure);
      const { code } = failure;
      // The account is disabled.
      if (code === "forbidden") return res.redirect(`/sign-in?error=${code}`);
      // Who has a session was connecting the account.
      const session = await accounts.signedIn(req).catch(() => null);
      res.redirect(`${session ? "/account" : "/sign-in"}?error=${code}`);
    }
  };
}

async function sendAuthAnswer(res: Response, answer: globalThis.Response): Promise<void> {
  setCookies(res, answer.headers);
  const location = answer.headers.get("Location");
  if (location !== null) res.setHeader("Location", location);
  const text = await answer.text();
  const content: unknown = text === "" ? undefined : JSON.parse(text);
  if (answer.status < 400) return sendJson(res, answer.status, content);
  const code = codeOfStatus(answer.status);
  if (code === "internal_error") throw internalError(new Error(`better-auth answered ${answer.status}`));
  if (textOf(content, "code") === "SESSION_NOT_FRESH")
    throw new DomainError(code, "Sign in again to add a passkey: you signed in more than a day ago.");
  throw new DomainError(code, textOf(content, "message") || "The request was refused. Check what you sent.");
}

/** Answers procedures. A request without a session is taken from the budget of its address. */
function answerTrpc(deps: Deps) {
  return async (req: Request, res: Response): Promise<void> => {
    stateOf(res).route = "/portal/trpc";
    if (deps.isDraining()) throw shuttingDown;
    res.setHeader("Cache-Control", "no-store");
    const session = await deps.accounts.signedIn(req, res);
    const maxBodySize = session ? bodyBytesMax : anonymousBodyBytesMax;
    if (session) {
      stateOf(res).userId = session.userId;
      deps.load.enter(res, session.userId);
      if (req.method === "POST") stateOf(res).hold?.(Number(req.headers["content-length"] ?? maxBodySize));
    } else await admitAddress(req, res, deps);
    await nodeHTTPRequestHandler({
      req,
      res,
      path: req.path.slice(1),
      router: portalRouter,
      maxBodySize,
      // Each procedure is a request of its own, so that budgets count it.
      allowBatching: false,
      createContext: () => ({ services: deps, req, res, session }),
      onError: ({ error }) => noteFailure(stateOf(res), toDomainError(error)),
    });
  };
}

/**
 * Refuses requests that a page of another origin sent: with an Origin that is not the server's own, or without one where something may
 * change. A browser sends the header with every POST.
 */
function createOriginCheck({ publicUrl, hosts }: Deps["http"]): RequestHandler {
  const ownOrigin = new URL(publicUrl).origin;
  const isOwn = (req: Request, origin: string): boolean => {
    if (origin === ownOrigin) return true;
    // The page was opened under another name of the server, such as localhost.
    const isSame = URL.canParse(origin) && new URL(origin).host === req.headers.host;
    return isSame && (hosts === null || namesThisMachine(req) || hosts.includes(hostName(req)));
  };
  return (req, _res, next) => {
    const { origin } = req.headers;
    const isSafe = req.method === "GET" || req.method === "HEAD";
    if (origin === undefined ? !isSafe : !isOwn(req, origin))
      throw forbidden(
        "This request does not come from the portal's own pages. Open the portal at the address that the server prints, or set PUBLIC_URL to this one.",
      );
    next();
  };
}

function textOf(value: unknown, key: string): string {
  const text = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === "string" ? text : "";
}
