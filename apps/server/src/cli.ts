#!/usr/bin/env node
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";

// The database, its lock and everything else that the command creates belong to this user alone.
process.umask(0o077);

// As `engines` in package.json says. On an older Node the database driver would crash without an explanation.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`Periscope needs Node.js 22.12 or newer, and this is ${process.versions.node}. Install a newer one.\n`);
  process.exit(1);
}

// V8 would let this thread's new objects grow to 70 MiB, and its old ones to four times what is in use. Smaller steps cost little time.
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--heap-growing-percent=50");
// Worker threads begin with their full room for new objects, or every search would collect garbage ten times.
setFlagsFromString("--min-semi-space-size=8");

// Loaded only now, because it loads the database driver.
const { runCommand } = await import("./cli/program.js");

async function ask(question: string): Promise<string> {
  using lines = createInterface({ input: process.stdin, output: process.stderr });
  // Nothing is done before the answer.
  lines.once("SIGINT", () => process.exit(130));
  return await lines.question(question);
}

// A reader such as `head` may close the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
// A full disk under its warnings must not stop a server.
process.stderr.on("error", () => {});

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isErrTerminal: process.stderr.isTTY,
  input: () => text(process.stdin),
  stdin: process.stdin,
  stdout: process.stdout,
  ask: process.stdin.isTTY ? ask : undefined,
});

// The process ends by itself once its output is written. This ends it should something keep it alive.
setTimeout(() => process.exit(), 500).unref();
