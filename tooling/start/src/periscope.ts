import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// Builds what is not built, then runs the `periscope` command with the words given. A new user should see what the command says,
// not a build log: the build speaks only when it fails.

const words = process.argv.slice(2).filter((argument) => argument !== "--");

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

if (words[0] === "serve") process.stderr.write("Building what has changed…\n");
const build = spawnSync(
  process.execPath,
  [path("node_modules/turbo/bin/turbo"), "run", "build", "--filter=@periscope/server", "--output-logs=errors-only"],
  { cwd: path("."), encoding: "utf8", env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" } },
);

if (build.status === 0) {
  run(words);
} else {
  process.stderr.write(`${build.stdout}${build.stderr}\nThe build failed, so nothing was run. The first error above says why.\n`);
  process.exitCode = 1;
}

/** Runs the command as a process of its own, passes signals on to it and ends as it ends. */
function run(args: readonly string[]): void {
  const command = spawn(process.execPath, [path("apps/server/dist/cli.js"), ...args], {
    stdio: "inherit",
    // Where the command was typed: scripts start at the root, and relative paths are meant from there.
    cwd: process.env["INIT_CWD"] ?? process.cwd(),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => command.kill(signal));
  command.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
