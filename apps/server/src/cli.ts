#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { isSupportedNode, nodeMinimum } from "./cli/node-version.js";

// Whatever the command makes, database and lock included, is its user's alone.
process.umask(0o077);

// The database driver crashes on an older Node instead of saying so.
if (!isSupportedNode(process.versions.node)) {
  process.stderr.write(`Periscope needs Node.js ${nodeMinimum} or newer, and this is ${process.versions.node}. Install a newer one.\n`);
  process.exit(1);
}

// Loaded only now: the database driver comes with it.
const { runCommand } = await import("./cli/program.js");

async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  return await lines.question(question);
}

// Who reads only the first lines, as `head` does, has seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isErrTerminal: process.stderr.isTTY,
  input: () => text(process.stdin),
  ask: process.stdin.isTTY ? ask : undefined,
});

// Output may still be under way, so the process ends by itself; should something keep it alive, this ends it.
setTimeout(() => process.exit(), 500).unref();
