import { buildOpenApiDocument } from "@periscope/openapi";
import { expect, test } from "vitest";
import server from "../package.json" with { type: "json" };
import { readConfig } from "../src/config/config.js";
import { budgetName } from "../src/rates/rate-limiter.js";
import { appRouter } from "../src/http/app-router.js";

const { anonymous: _anonymous, ...limits } = readConfig({}).rateLimits;
const budgets = Object.fromEntries(Object.entries(limits).map(([key, perMinute]) => [key, { name: budgetName(key), perMinute }]));

/** `pnpm openapi` writes the file by running this test with `--update`. */
test("openapi.json matches the router; after a change run: pnpm --filter @periscope/server openapi", async () => {
  const document = buildOpenApiDocument(appRouter, { baseUrl: "/api/v1", version: server.version, budgets });
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../openapi.json");
});
