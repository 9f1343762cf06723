import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "@periscope/harness/program";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { isRunning } from "./launchers.ts";

const pnpm = process.env["npm_execpath"] ?? "pnpm";
const cwd = fileURLToPath(new URL("../../../", import.meta.url));

/** Runs the start script of this repository on a data directory of its own; both are gone at the end of the block. */
async function start(...command: string[]) {
  await using stack = new AsyncDisposableStack();
  const { path: dataDir } = stack.use(await temporaryDirectory("periscope-start-"));
  const program = stack.use(await startProgram({ command, cwd, env: { ...process.env, PERISCOPE_DATA_DIR: dataDir, PORT: "0" } }));
  const { pid } = JSON.parse(await readFile(join(dataDir, "server.json"), "utf8")) as { pid: number };
  const isServing = () => isRunning(pid);
  stack.defer(() => void (isServing() && process.kill(pid, "SIGKILL")));
  const owned = stack.move();
  return { ...program, isServing, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test.each(["SIGTERM", "SIGINT"] as const)("%s to pnpm start stops the server with exit code 0", async (signal) => {
  await using started = await start(pnpm, "start");
  process.kill(started.pid, signal);
  // Not the end of all that prints to its output, which the server would be part of.
  expect([await started.exited, started.isServing()]).toEqual([0, false]);
});

test("stops the server when pnpm is killed", async () => {
  await using started = await start(pnpm, "start");
  process.kill(started.pid, "SIGKILL");
  await expect.poll(() => started.isServing(), { timeout: 100_000 }).toBe(false);
});

test("stops the server when npx gets SIGTERM, which npx does not forward", async () => {
  await using started = await start("npx", "--yes", "pnpm@12", "start");
  process.kill(started.pid, "SIGTERM");
  await expect.poll(() => started.isServing(), { timeout: 100_000 }).toBe(false);
});
