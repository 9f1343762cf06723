import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { statusOfError } from "@periscope/schemas";
import type { Deps } from "./deps.js";
import { badRequest, notFound } from "./domain-error.js";
import { chargeAddress, crossOrigin } from "./http/admission.js";
import {
  asyncApiPage,
  docsPage,
  healthz,
  keylessPages,
  metricsPage,
  metricsReader,
  openApiPage,
  readyz,
  scalarPage,
} from "./http/pages.js";
import { sendError, toDomainError } from "./http/answers.js";
import { installZodMessages } from "./contexts/issues.js";
import { createMcpApi } from "./http/mcp-api.js";
import { requestLog } from "./http/request-log.js";
import { apiPrefix, createRestApi } from "./http/rest-api.js";
import { appRouter } from "./http/app-router.js";
import { createOAuthApi } from "./http/oauth-api.js";
import { createPortalApi } from "./portal/portal-api.js";
import { portalPages } from "./portal/portal-pages.js";

/** The whole HTTP service over its dependencies; does not listen yet. */
export function createApp(deps: Deps): Express {
  installZodMessages();
  const { http } = deps;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", http.trustProxy);
  // The REST mapping reads the query itself, and nothing else has one.
  app.set("query parser", false);

  // Every request takes these steps in this order.
  app.use(requestLog(deps)); // 1. request id, log line, metrics
  app.use(crossOrigin(http)); // 2. CORS; answers preflights
  app.use(checkHead); // 3. what HTTP/1.1 requires of a request
  app.use(pagesOf(deps)); // 4. health, metrics and documentation: no key, no budget
  app.use(apiPrefix, createRestApi(appRouter, deps)); // 5. key, rate limit, route, scope, body, procedure
  if (http.mcp) app.all("/mcp", createMcpApi(deps, http.hosts)); // 6. the same for MCP
  if (http.mcp) app.use(createOAuthApi(deps)); // and how its hosts get access
  app.use("/portal", createPortalApi(deps)); // 7. origin, session, rate limit and procedure of the portal
  app.use(portalPages()); // 8. the pages themselves
  app.use(() => {
    throw notFound(`There is nothing at this path. See ${apiPrefix}/docs.`);
  });
  app.use(errorHandler(deps)); // 9. whatever was thrown on the way
  return app;
}

function pagesOf(deps: Deps): RequestHandler {
  const { publicUrl } = deps.http;
  const isVisible = metricsReader(deps.http);
  return keylessPages(
    new Map([
      ["/healthz", { route: "/healthz", page: healthz }],
      ["/readyz", { route: "/readyz", page: readyz(deps) }],
      ["/metrics", { route: "/metrics", page: metricsPage(deps), isVisible }],
      [`${apiPrefix}/openapi.json`, { route: "/openapi.json", page: openApiPage(publicUrl) }],
      [`${apiPrefix}/asyncapi.json`, { route: "/asyncapi.json", page: asyncApiPage(publicUrl) }],
      [`${apiPrefix}/docs`, { route: "/docs", page: docsPage(publicUrl) }],
      [`${apiPrefix}/docs/scalar.js`, { route: "/docs/scalar.js", page: scalarPage() }],
    ]),
  );
}

/** Node would refuse these with an empty body. HTTP/1.0 knows neither header. */
const checkHead: RequestHandler = ({ httpVersion, headers }, _res, next) => {
  if (httpVersion !== "1.1") return next();
  if (headers.host === undefined) throw badRequest("Host: required in HTTP/1.1. Send the name of this server.");
  if (headers.expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect))
    throw badRequest("Expect: only 100-continue is supported. Send that, or leave the header out.");
  next();
};

/** Answers errors. One that was thrown before a budget was charged is charged to the client's address: every answer has rate headers. */
function errorHandler(deps: Deps): ErrorRequestHandler {
  return async (thrown: unknown, req, res, _next) => {
    // The client is gone, and the request has its log line.
    if (res.destroyed) return;
    const error = toDomainError(thrown);
    if (error.extra.bound) deps.metrics.http.pastBound(error.extra.bound);
    const isServerFault = statusOfError[error.code] >= 500;
    if (!res.headersSent && !res.hasHeader("X-RateLimit-Limit"))
      await chargeAddress(req, res, deps, isServerFault).catch(() => chargeAddress(req, res, deps, true));
    sendError(res, error);
  };
}
