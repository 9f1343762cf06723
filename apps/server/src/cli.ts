#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { runCommand } from "./cli/program.js";

// Whatever the command makes, database and lock included, is its user's alone.
process.umask(0o077);

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
