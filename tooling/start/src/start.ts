import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

// A new user should see the server's welcome text, not a build log: the build speaks only when it fails.
// The server then runs in this very process, so that a signal sent to the script reaches it and nothing is left behind.

const root = fileURLToPath(new URL("../../..", import.meta.url));
const command = fileURLToPath(new URL("../../../apps/server/dist/cli.js", import.meta.url));

const turbo = fileURLToPath(new URL("../../../node_modules/turbo/bin/turbo", import.meta.url));
const build = spawnSync(process.execPath, [turbo, "run", "build", "--filter=@periscope/server", "--output-logs=errors-only"], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "pipe"],
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_PRINT_VERSION_DISABLED: "1" },
});

if (build.status === 0) {
  process.argv = [process.execPath, command, "serve", ...process.argv.slice(2).filter((argument) => argument !== "--")];
  await import(pathToFileURL(command).href);
} else {
  process.stderr.write(`${build.stdout}${build.stderr}\nThe build failed, so nothing was started. The first error above says why.\n`);
  process.exitCode = 1;
}
