import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Global setup of packages whose tests run their built command: builds it first, with everything that it needs, so that no test runs
 * against a stale build. Turbo, which runs all tests, has done so already, and so has `.ci/run`.
 */
export function setup() {
  if (process.env.TURBO_HASH !== undefined || process.env.ALREADY_BUILT === "1") return;
  const { name } = JSON.parse(readFileSync("package.json", "utf8"));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const words = [`${root}node_modules/turbo/bin/turbo`, "run", "build", `--filter=${name}`, "--output-logs=errors-only"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) throw new Error(`The build failed.\n${stdout}${stderr}`);
}
