import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { isRunning } from "./launchers.ts";

const pnpm = process.env["npm_execpath"] ?? "pnpm";
const root = new URL("../../../", import.meta.url);

/** The start script of this repository on a data directory of its own, gone at the end of the block. */
class Start implements AsyncDisposable {
  out = "";
  #serverPid: number | undefined;

  readonly dataDir: string;
  readonly child: ChildProcess;

  private constructor(dataDir: string, child: ChildProcess) {
    this.dataDir = dataDir;
    this.child = child;
  }

  /** Runs the command, and waits until the server listens. */
  static async run(command: string, ...words: string[]): Promise<Start> {
    const dataDir = await mkdtemp(join(tmpdir(), "periscope-start-"));
    const env = { ...process.env, PERISCOPE_DATA_DIR: dataDir, PORT: "0" };
    const child = spawn(command, words, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const start = new Start(dataDir, child);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => (start.out += text));
    await vi.waitUntil(() => start.out.includes("/setup#"), { timeout: 100_000 });
    start.#serverPid = (JSON.parse(await readFile(join(dataDir, "server.json"), "utf8")) as { pid: number }).pid;
    return start;
  }

  isServing(): boolean {
    return this.#serverPid !== undefined && isRunning(this.#serverPid);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isServing()) process.kill(this.#serverPid ?? 0, "SIGKILL");
    this.child.kill("SIGKILL");
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

test.each(["SIGTERM", "SIGINT"] as const)("%s to pnpm start stops the server with exit code 0", async (signal) => {
  await using start = await Start.run(pnpm, "start");
  start.child.kill(signal);
  const [code] = (await once(start.child, "exit")) as [number | null];
  expect([code, start.isServing()]).toEqual([0, false]);
});

test("stops the server when pnpm is killed", async () => {
  await using start = await Start.run(pnpm, "start");
  start.child.kill("SIGKILL");
  await expect.poll(() => start.isServing(), { timeout: 10_000 }).toBe(false);
});

test("stops the server when npx gets SIGTERM, which npx does not forward", async () => {
  await using start = await Start.run("npx", "--yes", "pnpm@12", "start");
  start.child.kill("SIGTERM");
  await expect.poll(() => start.isServing(), { timeout: 10_000 }).toBe(false);
});
