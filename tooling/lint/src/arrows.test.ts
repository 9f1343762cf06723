import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Which file may not import what: arrows that point up or across. `filterContext` is of `@periscope/privacy`, whose types anybody may take. */
const forbidden: Record<string, string[]> = {
  "apps/portal/src/main.ts": ["@periscope/harness/server"],
  "packages/client/src/agent.ts": ["@periscope/harness/server", "@periscope/server", "../../../apps/server/src/app.js"],
  "packages/client/src/agent.test.ts": ["@periscope/server"],
  "packages/sync/test/world.ts": ["../../../apps/server/src/app.js"],
  "apps/server/src/contexts/apply.ts": [
    "@prisma/client",
    "../storage/engine.js",
    "@trpc/server",
    "../http/answers.js",
    "../config/config.js",
  ],
  "apps/server/src/contexts/context.store.ts": ["better-sqlite3", "./context.service.js"],
  "apps/server/src/contexts/context.router.ts": ["../storage/engine.js", "../config/config.js", "filterContext"],
  "apps/server/src/http/pages.ts": ["@trpc/server", "../storage/engine.js", "filterContext"],
  "apps/server/src/privacy/privacy-filter.ts": ["express", "./rules.router.js"],
  "apps/server/src/storage/sql.ts": ["@trpc/server", "express", "../contexts/context.service.js", "filterContext"],
  "apps/server/src/trpc/endpoint.ts": ["@prisma/client", "../storage/engine.js", "../config/config.js", "filterContext"],
  "apps/server/src/portal/portal-trpc.ts": ["@prisma/client", "../storage/engine.js", "../config/config.js", "filterContext"],
  "apps/server/src/services.ts": ["pg", "./storage/generated/sqlite/client.js", "@trpc/server", "./config/config.js", "filterContext"],
  "apps/server/src/deps.ts": ["@trpc/server", "./config/config.js"],
  "apps/server/src/cli/serve.ts": ["@periscope/harness/server", "better-sqlite3", "@trpc/server", "filterContext"],
};
const uses = "declare const services: any;\nservices.stores;\nconst { filters } = services;\n";

test("the linter refuses imports that point up, and stores where requests come in", async () => {
  await using tree = await temporaryDirectory("periscope-lint-");
  cpSync(join(root, "oxlint.config.ts"), join(tree.path, "oxlint.config.ts"));
  symlinkSync(join(root, "node_modules"), join(tree.path, "node_modules"));
  for (const [file, sources] of Object.entries(forbidden)) {
    mkdirSync(dirname(join(tree.path, file)), { recursive: true });
    const imports = sources.map(
      (source, index) => `import { filterContext as name${index} } from "${source.replace("filterContext", "@periscope/privacy")}";\n`,
    );
    writeFileSync(join(tree.path, file), imports.join("") + uses);
  }
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--format=json", ...Object.keys(forbidden)], {
    cwd: tree.path,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string; code?: string; message: string }[] };
  const sourcesIn = (name: string) =>
    diagnostics.flatMap(({ filename, code, message }) =>
      filename === name && code === "eslint(no-restricted-imports)" ? (/'([^']+)'/.exec(message)?.[1] ?? message) : [],
    );
  expect(Object.fromEntries(Object.keys(forbidden).map((name) => [name, sourcesIn(name)]))).toEqual(forbidden);
  const asked = diagnostics.flatMap(({ filename, code }) => (code === "eslint(no-restricted-properties)" ? filename : []));
  expect([...new Set(asked)].toSorted()).toEqual([
    "apps/server/src/contexts/context.router.ts",
    "apps/server/src/http/pages.ts",
    "apps/server/src/portal/portal-trpc.ts",
    "apps/server/src/trpc/endpoint.ts",
  ]);
});
