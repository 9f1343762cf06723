import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runProgram } from "@periscope/harness/program";
import { suiteRunners } from "./runtimes.ts";

const cwd = fileURLToPath(new URL("../../../packages/client", import.meta.url));
const vitest = join(dirname(createRequire(join(cwd, "package.json")).resolve("vitest/package.json")), "vitest.mjs");
const timeoutMs = 600_000;

// Types are the same everywhere, and are checked where the client's own tests run.
const words = ["run", "--maxWorkers=1", "--typecheck.enabled=false", "--reporter=dot", "--no-color"];

test.each(Object.keys(suiteRunners))(
  "the client's own tests pass in %s, every one",
  async (name) => {
    const { command = [], pool } = suiteRunners[name] ?? {};
    const { code, out, err } = await runProgram([...command, vitest, ...words, `--pool=${pool}`], { cwd, timeoutMs });
    const [, passed = 0, all = NaN] = /^ *Tests +(\d+) passed \((\d+)\)$/m.exec(out) ?? [];
    // The code says more: that nothing was thrown outside of a test.
    expect([code, Number(passed)], `${out}\n${err}`).toEqual([0, Number(all)]);
    expect(Number(all)).toBeGreaterThan(300);
  },
  timeoutMs,
);
