import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "./node-process.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

async function programOf(source: string) {
  const directory = await temporaryDirectory("periscope-program-");
  const script = join(directory.path, "program.mjs");
  writeFileSync(script, source);
  return { ...directory, start: (signal?: AbortSignal) => startProgram({ name: "It", args: [script], signal }) };
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a program is running once it says where it listens, and has ended once it is disposed", async () => {
  await using program = await programOf("console.log('It is listening at http://127.0.0.1:1/x (quickly).'); setInterval(() => {}, 1000);");
  let pid = 0;
  {
    await using running = await program.start();
    ({ pid } = running);
    expect(running.address).toBe("http://127.0.0.1:1/x");
    expect(isAlive(pid)).toBe(true);
  }
  expect(isAlive(pid)).toBe(false);
});

test("a program that ends before it serves is reported with what it said", async () => {
  await using program = await programOf("console.error('PORT is taken'); process.exitCode = 1;");
  await expect(program.start()).rejects.toThrow(/It ended before it served\. Its last output:\nPORT is taken/);
});

test("a start can be aborted", async () => {
  await using program = await programOf("setInterval(() => {}, 1000);");
  const stopping = new AbortController();
  const started = program.start(stopping.signal);
  stopping.abort(new Error("Stopped by SIGINT."));
  await expect(started).rejects.toThrow("Stopped by SIGINT.");
});
