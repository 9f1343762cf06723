import { createServer } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommands } from "./run-commands.ts";

/** A directory whose `npx` is a program of ours: what `npx pnpm@12 start` runs is up to the test. */
async function workplace(npx: string) {
  const directory = await mkdtemp(join(tmpdir(), "periscope-run-"));
  await writeFile(join(directory, "npx"), `#!/usr/bin/env node\n${npx}`, { mode: 0o755 });
  return {
    options: { cwd: directory, environment: { PATH: `${directory}:${process.env["PATH"]}` }, timeoutMs: 20_000 },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

const outcomes = async (commands: readonly string[], options: Parameters<typeof runCommands>[1]) => {
  const found = [];
  for await (const { name, problem } of runCommands(commands, options)) found.push({ name, failed: problem !== undefined });
  return found;
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const answering = (port: number, greeting: string) => `
  import("node:http").then(({ createServer }) => {
    const server = createServer((request, response) => response.end("{}"));
    server.listen(${port}, "127.0.0.1", () => console.log(${JSON.stringify(greeting)}));
    process.on("SIGINT", () => { server.close(); server.closeAllConnections(); });
  });
`;

test("runs commands in order and names those that fail", async () => {
  await using place = await workplace("");
  expect(await outcomes(["export A=1", 'test "$A" = 1', "false", "true"], place.options)).toEqual([
    { name: "export A=1", failed: false },
    { name: 'test "$A" = 1', failed: false },
    { name: "false", failed: true },
    { name: "true", failed: false },
  ]);
});

test("says of a long output which lines name a failure and how it ended", async () => {
  await using place = await workplace("");
  const command = "seq 1 500; echo ' FAIL  a.test.ts > adds'; seq 501 1000; echo last; false";
  let lines: readonly string[] = [];
  for await (const { problem = "" } of runCommands([command], place.options)) lines = problem.split("\n");
  expect(lines[0]).toBe(" FAIL  a.test.ts > adds");
  expect(lines).toContain("last");
  expect(lines).not.toContain("400");
});

test("keeps the server running, runs what it printed, hands its key on and stops it", async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await using place = await workplace(
    answering(port, `listening at ${url}\n  psk_key1_secret\ncurl -sS ${url}/ok -H 'A: psk_key1_secret'`),
  );
  const commands = ["npx pnpm@12 start", `curl -sS ${url}/ok`, 'echo "$PERISCOPE_API_KEY" | grep -q secret'];
  expect(await outcomes(commands, place.options)).toEqual([
    { name: "npx pnpm@12 start", failed: false },
    { name: `curl -sS ${url}/ok -H 'A: psk_…'`, failed: false },
    { name: `curl -sS ${url}/ok`, failed: false },
    { name: 'echo "$PERISCOPE_API_KEY" | grep -q secret', failed: false },
    { name: "the server stops", failed: false },
  ]);
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("a server that does not start has failed, and so has what needs it", async () => {
  await using place = await workplace('console.log("port 3000 is taken"); process.exitCode = 1;');
  expect(await outcomes(["npx pnpm@12 start", "curl -sS http://127.0.0.1:1/"], place.options)).toEqual([
    { name: "npx pnpm@12 start", failed: true },
    { name: "curl -sS http://127.0.0.1:1/", failed: true },
  ]);
});
