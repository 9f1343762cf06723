import { expect, test } from "vitest";
import server from "../../package.json" with { type: "json" };
import { buildOpenApiDocument } from "./openapi-document.js";

/** `pnpm openapi` writes the file by running this test with `--update`; without, it fails when router and file differ. */
test("openapi.json is what the router says; after a change of the interface run: pnpm --filter @periscope/server openapi", async () => {
  const document = buildOpenApiDocument({ baseUrl: "/api/v1", version: server.version });
  await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../openapi.json");
});
