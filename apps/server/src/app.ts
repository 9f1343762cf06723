import express, { type Express } from "express";
import type { Deps } from "./deps.js";
import { badRequest, notFound } from "./domain-error.js";
import { takeAnonymous } from "./http/admission.js";
import { crossOrigin } from "./http/cors.js";
import { headCheck } from "./http/head-check.js";
import { healthz, readyz } from "./http/health.js";
import { useIssueText } from "./http/issue-text.js";
import { keylessPage } from "./http/keyless-page.js";
import { createDocsHandler, createOpenApiHandler } from "./http/openapi-routes.js";
import { createMcpApi } from "./http/mcp-api.js";
import { metricsPage } from "./http/metrics-page.js";
import { requestLog } from "./http/request-log.js";
import { stateOf } from "./http/request-state.js";
import { createRestApi } from "./http/rest-api.js";
import { sendError } from "./http/send.js";
import { appRouter } from "./http/app-router.js";

/** The version prefix of the interface. */
export const apiPrefix = "/api/v1";

/** The whole HTTP service over its dependencies; listens nowhere yet. */
export function createApp(deps: Deps): Express {
  useIssueText();
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("trust proxy", deps.http.trustProxy);
  // The REST mapping reads the query itself, and nothing else has one.
  app.set("query parser", false);

  app.use(requestLog(deps));
  app.use(crossOrigin(deps.http));
  app.use(headCheck);
  const { publicUrl } = deps.http;
  const keyless = new Map([
    ["/openapi.json", keylessPage("/openapi.json", createOpenApiHandler({ publicUrl }))],
    ["/docs", keylessPage("/docs", createDocsHandler({ publicUrl }))],
  ]);
  // First, since almost every request is for it: each layer before it costs a match of the path.
  app.use(apiPrefix, createRestApi(appRouter, { deps, keyless }));
  if (deps.http.mcp) app.all("/mcp", createMcpApi(deps, deps.http.mcp));
  app.all("/healthz", keylessPage("/healthz", healthz));
  app.all("/readyz", keylessPage("/readyz", readyz(deps)));
  app.all("/metrics", metricsPage(deps));

  app.use((req, res) => {
    takeAnonymous(req, res, deps);
    sendError(res, stateOf(res), notFound(`There is nothing at this path; ${apiPrefix}/docs lists what there is.`));
  });
  const lastResort: express.ErrorRequestHandler = (error: unknown, req, res, _next) => {
    if (!res.headersSent) takeAnonymous(req, res, deps);
    sendError(res, stateOf(res), error instanceof URIError ? badRequest("The path is not valid percent-encoding of UTF-8.") : error);
  };
  app.use(lastResort);
  return app;
}
