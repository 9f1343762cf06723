import express, { type Request, type Response, type Router } from "express";
import { allScopes } from "../access/access.store.js";
import type { Deps } from "../deps.js";
import { rateLimited } from "../domain-error.js";
import { admitAddress, issuerOf, networkOf } from "./admission.js";
import { sendJson, shuttingDown } from "./answers.js";
import { anonymousBodyBytesMax, readForm, readJsonBody } from "./input.js";
import { resourceMetadataPath } from "./mcp-api.js";
import { keylessPages, type Page } from "./pages.js";
import { stateOf } from "./request-log.js";
import { exchangeToken, OAuthError, registerProgram, resourceOf, revokeToken } from "../oauth/oauth.service.js";

/** Programs that may register from one address in a minute. */
const registrationsMax = 10;

const serverMetadataPath = "/.well-known/oauth-authorization-server";
const resourcePath = "/.well-known/oauth-protected-resource";

/**
 * OAuth 2.1 for `/mcp`, as MCP asks of a server: what programs read before (RFC 9728, RFC 8414), where they register (RFC 7591), and
 * where they get tokens. People agree in the portal, at `/authorize`.
 */
export function createOAuthApi(deps: Deps): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(createMetadataPages(deps));
  router.post("/oauth/register", answer(deps, register));
  router.post(
    "/oauth/token",
    answer(deps, (req) => readForm(req).then((form) => exchangeToken(deps, form, issuerOf(req, deps.http)))),
  );
  router.post(
    "/oauth/revoke",
    answer(deps, (req) => readForm(req).then((form) => revokeToken(deps, form))),
  );
  return router;
}

/** Clients look for the metadata at the root, and for the path of the resource. */
function createMetadataPages({ http }: Deps) {
  const resource: Page = (req, res) => {
    const issuer = issuerOf(req, http);
    sendJson(res, 200, {
      resource: resourceOf(issuer),
      authorization_servers: [issuer],
      // What the tools of /mcp need.
      scopes_supported: ["read", "delete"],
      bearer_methods_supported: ["header"],
      resource_name: "Periscope",
    });
  };
  const server: Page = (req, res) => {
    const issuer = issuerOf(req, http);
    sendJson(res, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      registration_endpoint: `${issuer}/oauth/register`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      scopes_supported: allScopes,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      revocation_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  };
  return keylessPages(
    new Map([
      [resourcePath, { route: resourcePath, page: resource }],
      [resourceMetadataPath, { route: resourceMetadataPath, page: resource }],
      [serverMetadataPath, { route: serverMetadataPath, page: server }],
      [`${serverMetadataPath}/mcp`, { route: `${serverMetadataPath}/mcp`, page: server }],
    ]),
  );
}

async function register(req: Request, res: Response, deps: Deps): Promise<unknown> {
  const { allowed, resetInMs } = await deps.limiter.take(`address:${networkOf(req.ip ?? "")}`, "register", registrationsMax);
  if (!allowed)
    throw rateLimited(
      `More than ${registrationsMax} programs registered from this address in this minute. Wait, then retry.`,
      Math.max(1, Math.ceil(resetInMs / 1000)),
    );
  const registered = await registerProgram(deps, await readJsonBody(req, res, anonymousBodyBytesMax));
  res.statusCode = 201;
  return registered;
}

/** Answers a request of a program, in the words of OAuth where it was wrong. Each is taken from the budget of its address. */
function answer(deps: Deps, handle: (req: Request, res: Response, deps: Deps) => Promise<unknown>) {
  return deps.load.track(async (req, res) => {
    stateOf(res).route = req.path;
    if (deps.isDraining()) throw shuttingDown;
    await admitAddress(req, res, deps);
    try {
      const body = await handle(req, res, deps);
      sendJson(res, res.statusCode, body ?? {});
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      sendJson(res, error.code === "invalid_client" ? 401 : 400, { error: error.code, error_description: error.message });
    }
  });
}
