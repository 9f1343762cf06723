import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { findLaunchers, isRunning } from "./launchers.ts";

// Builds what has changed, then runs the `periscope` command with the given words. The build prints only when it fails. Tests run what is
// built already: a build replaces files that tests beside them read.

const words = process.argv.slice(2).filter((argument) => argument !== "--");
const launchers = findLaunchers();

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

// Turbo says so to the tests that it runs.
const isBuilt = process.env["TURBO_HASH"] !== undefined;
if (isBuilt || build()) run(words);
else process.exitCode = 1;

function build(): boolean {
  if (words[0] === "serve") process.stderr.write("Building what has changed…\n");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path("node_modules/turbo/bin/turbo"), "run", "build", "--filter=@periscope/server", "--output-logs=errors-only"],
    { cwd: path("."), encoding: "utf8", env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" } },
  );
  if (status === 0) return true;
  process.stderr.write(`${stdout}${stderr}\nThe build failed, so nothing was started. The first error above says why.\n`);
  return false;
}

/** Runs the command as a child process, forwards signals to it and ends as it ends. */
function run(args: readonly string[]): void {
  const command = spawn(process.execPath, [path("apps/server/dist/cli.js"), ...args], {
    stdio: "inherit",
    // Scripts run in the root, but relative paths are meant from where the user typed the command.
    cwd: process.env["INIT_CWD"] ?? process.cwd(),
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => command.kill(signal));
  // npx dies of SIGTERM without forwarding it, and pnpm cannot forward SIGKILL: without them nobody could stop the server.
  const watch = setInterval(() => {
    if (launchers.every(isRunning)) return;
    clearInterval(watch);
    command.kill("SIGTERM");
  }, 500);
  command.once("exit", (code) => {
    clearInterval(watch);
    process.exitCode = code ?? 1;
  });
}
