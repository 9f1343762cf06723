#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { restartWithSmallHeap } from "./cli/small-heap.js";

// Whatever the command makes, database and lock included, is its user's alone.
process.umask(0o077);

if (process.argv[2] === "serve") restartWithSmallHeap(process);

// Loaded only now, so that a restart costs no more than Node's own start.
const { runCommand } = await import("./cli/program.js");

async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question);
}

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  ask: process.stdin.isTTY ? ask : undefined,
});

// Output may still be under way, so the process ends by itself; should something keep it alive, this ends it.
setTimeout(() => process.exit(), 500).unref();
