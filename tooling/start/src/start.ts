import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

// A new user should see the server's welcome text, not a build log: the build speaks only when it fails.

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

const build = spawnSync(
  process.execPath,
  [path("node_modules/turbo/bin/turbo"), "run", "build", "--filter=@periscope/server", "--output-logs=errors-only"],
  { cwd: path("."), encoding: "utf8", env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" } },
);

if (build.status === 0) {
  serve(process.argv.slice(2).filter((argument) => argument !== "--"));
} else {
  process.stderr.write(`${build.stdout}${build.stderr}\nThe build failed, so nothing was started. The first error above says why.\n`);
  process.exitCode = 1;
}

/** Runs the server as a process of its own, passes signals on to it and ends as it ends. */
function serve(flags: readonly string[]): void {
  const server = spawn(process.execPath, [path("apps/server/dist/cli.js"), "serve", ...flags], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => server.kill(signal));
  server.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}
