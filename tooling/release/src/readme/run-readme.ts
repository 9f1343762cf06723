import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Tally } from "../tally.ts";
import { runCommands } from "./run-commands.ts";
import { shellBlocks } from "./shell-blocks.ts";

// Runs every command of README.md in the order a reader would, with data of its own, and says which of them failed.

const root = fileURLToPath(new URL("../../../..", import.meta.url));
// One of the commands runs all tests.
const timeoutMs = 900_000;

const own = await mkdtemp(join(tmpdir(), "periscope-readme-"));
// curl ends well on an error answer unless told otherwise; here such an answer is a failure.
await writeFile(join(own, ".curlrc"), "fail-with-body\n");
const environment = { ...process.env, CURL_HOME: own, PERISCOPE_DATA_DIR: join(own, "data") };

const tally: Tally = { passed: [], failed: [] };
try {
  const blocks = shellBlocks(await readFile(join(root, "README.md"), "utf8"));
  for await (const { name, problem, seconds } of runCommands(
    blocks.flatMap(({ commands }) => commands),
    { cwd: root, environment, timeoutMs },
  )) {
    if (problem === undefined) tally.passed.push(name);
    else tally.failed.push(name);
    console.log(
      `${problem === undefined ? "ok  " : "FAIL"}  ${name} (${seconds.toFixed(1)} s)${problem === undefined ? "" : `\n${problem}`}`,
    );
  }
} finally {
  await rm(own, { recursive: true, force: true });
}

await mkdir(join(root, ".cache"), { recursive: true });
await writeFile(join(root, ".cache", "readme.json"), JSON.stringify(tally));
console.log(`\nREADME commands: ${tally.passed.length} passed, ${tally.failed.length} failed`);
process.exitCode = tally.failed.length === 0 ? 0 : 1;
