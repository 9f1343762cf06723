import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

/** A directory for temporary files where everyone may make some and remove their own, as whoever owns nothing must; gone at the end of the block. */
async function ownTemporary(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "periscope-own-"));
  await chmod(path, 0o1777);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test("a server ends, and leaves nothing, when the process that started it is killed", async () => {
  const code = `const { PostgresServer } = await import(${JSON.stringify(new URL("postgres.ts", import.meta.url).href)});
    const server = await PostgresServer.start(); console.log(server.url() + " " + server.data); setInterval(() => {}, 1000);`;
  await using own = await ownTemporary();
  const env = { ...process.env, TMPDIR: own.path };
  const parent = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"], env });
  const [line] = (await once(parent.stdout.setEncoding("utf8"), "data")) as [string];
  const [url = "", data = ""] = line.trim().split(" ");
  expect(await ask(url, "SELECT 1")).toEqual([1]);
  parent.kill("SIGKILL");
  await vi.waitFor(() => expect([existsSync(dirname(data)), ...readdirSync(own.path)]).toEqual([false]), 100_000);
  await expect(ask(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
});
