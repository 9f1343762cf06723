import { built, deepFiles, preset, randomInput, testFiles } from "@periscope/vitest";
import { citusWorkers } from "./test/citus-workers.js";
import { isDeep } from "./test/deep.js";

// What goes through the front door runs on both engines. A test of one engine alone says so: by its name, `x.sqlite.test.ts` or
// `x.postgres.test.ts`, or by its folder. What takes minutes is named `x.deep.test.ts` or `x.sqlite.deep.test.ts`.
const sqlite = ["**/*.sqlite{,.deep}.test.ts", "src/storage/sqlite/**"];
const postgres = ["**/*.postgres{,.deep}.test.ts", "src/storage/postgres/*.test.ts"];
// What HTTP, clients, documents, pages and processes do, whatever the engine: on SQLite alone, and in a deep run on both.
const http =
  "test/{asyncapi,client-*,drain,http-*,key,live-connection,mcp,mcp-remote,metrics,oauth,oauth-token-checks,openapi,request-log,sync-queue}.test.ts";
const portal = "test/{portal-oidc,portal-sign-in,portal-system,portal-threats,security-portal}.test.ts";
const pure = "src/{access/authenticator,contexts/{prepare,derived-text,sync.service}}.test.ts";
const anyEngine = isDeep
  ? []
  : [http, portal, pure, "test/{arbitrary-input,architecture,data-hostile,fail-closed,interrupted-commands}.test.ts"];
// Of a Citus cluster: only where TEST_CITUS_WORKERS asks for one.
const citus = "test/*.citus.test.ts";
const frontDoor = ["src/{access,contexts,storage}/*.test.ts", "src/search/search.service.test.ts", "test/*.test.ts"];

export default preset({
  setupFiles: [randomInput],
  globalSetup: built,
  projects: [
    { extends: true, test: { name: "sqlite", include: testFiles, exclude: [...postgres, citus, ...deepFiles] } },
    {
      extends: true,
      test: {
        name: "postgres",
        include: [...frontDoor, ...postgres],
        exclude: [...sqlite, ...anyEngine, ...(citusWorkers > 0 ? [] : [citus]), ...deepFiles],
        globalSetup: "test/postgres-setup.ts",
        setupFiles: "test/collect-statements.ts",
        // A database on each of its machines for every test, and commits on all of them for every user.
        ...(citusWorkers > 0 && { testTimeout: 300_000, hookTimeout: 300_000 }),
      },
    },
  ],
});
