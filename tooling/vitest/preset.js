import { defineConfig } from "vitest/config";

const conditions = ["@periscope/source", "module", "node", "import", "default"];

/**
 * Test preset: workspace packages resolve to their source, so no test runs against a stale build.
 * @param {import("vitest/config").ViteUserConfig["test"]} [test] what differs from the preset
 */
export function preset(test = {}) {
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ["src/**/*.test.ts", "test/**/*.test.ts"],
      environment: "node",
      unstubGlobals: true,
      ...test,
    },
  });
}
