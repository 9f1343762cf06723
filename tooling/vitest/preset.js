import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

// Tests start thousands of threads and processes on the same few files. Those that are given this environment find them compiled, the types
// left out, whichever package began with them.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../../.cache/compiled", import.meta.url));

// They reach Node as --conditions too: with "import" among them, require() in a dependency would be given ES modules.
const conditions = ["@periscope/source", "node"];

/** What a CI run counts; a run from the cache brings it back. Of a second run beside the first, CI names another file. */
export const report = ["json", { outputFile: `.cache/${process.env.TEST_REPORT ?? "tests"}.json` }];

const isDeep = process.env.TEST_DEEP === "1";

// What all random input of tests begins with: the same in every run, so that a run fails for a change and for nothing else. A deep run tries other
// input each time.
process.env.TEST_SEED ??= isDeep ? String(randomInt(2 ** 31)) : "20261123";

/** Tests that only `pnpm test:deep` runs, since they take minutes. */
export const deepFiles = isDeep ? [] : ["**/*.deep.test.ts"];

/** Setup file of packages that test with random input. */
export const randomInput = fileURLToPath(new URL("./random-input.js", import.meta.url));

/** Global setup of packages whose tests run their built command. */
export const built = fileURLToPath(new URL("./built.js", import.meta.url));

/** Where tests are. */
export const testFiles = ["src/**/*.test.ts", "test/**/*.test.ts"];

/**
 * Test preset: workspace packages resolve to their source, so no test runs against a stale build.
 * @param {import("vitest/config").ViteUserConfig["test"]} [test] what differs from the preset
 */
export function preset(test = {}) {
  if (test.setupFiles?.includes(randomInput)) console.log(`The random input of these tests begins with TEST_SEED=${process.env.TEST_SEED}`);
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      // Projects add to what the root includes, so that with any of them the root includes nothing.
      ...(test.projects === undefined && { include: testFiles, exclude: deepFiles }),
      environment: "node",
      // Modules keep caches and nothing that a test changes, so that files can share those of their process; to load them anew costs much of a run.
      isolate: false,
      reporters: ["default", report],
      // What tests that pass print nobody reads.
      silent: "passed-only",
      unstubGlobals: true,
      // Vitest would leave a core free, which on two cores is half of them; and most tests wait for a server or a disk.
      maxWorkers: availableParallelism() + 1,
      // Tests leave much garbage behind: with room for it, it is gone before it is looked at.
      execArgv: ["--max-semi-space-size=32", "--import", new URL("./source-imports.js", import.meta.url).href],
      // Guards against a hang, and no more: a test that is only slow must not fail.
      testTimeout: isDeep ? 1_800_000 : 300_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 120_000 } },
      ...test,
    },
  });
}
