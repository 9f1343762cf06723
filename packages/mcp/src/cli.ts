#!/usr/bin/env node
import { readFileSync } from "node:fs";

/** The package and its dependencies use what Node has from here on; hosts start whatever `node` they find. */
const nodeMinimum = "22.12";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `@periscope/mcp needs Node.js ${nodeMinimum} or newer, and this is ${process.versions.node}. Install a newer one.\n`,
  );
  process.exit(1);
}

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
// Loaded only now: an older Node would stop at it with a syntax error.
const { runCommand } = await import("./command.js");
process.exitCode = await runCommand(process.argv.slice(2), { env: process.env, version });
