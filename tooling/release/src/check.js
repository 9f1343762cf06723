import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checks } from "./checks.ts";
// Usage: pnpm check [name …]. Runs every check, or the named ones, one after the other, and goes on after a failure.
const root = fileURLToPath(new URL("../../..", import.meta.url));
const wanted = process.argv.slice(2).filter((argument) => argument !== "--");
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
if (unknown.length > 0) {
  console.error(`There is no check named ${unknown.join(", ")}. There are: ${checks.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const tally = { passed: [], failed: [] };
for (const { name, run, remedy } of checks.filter((check) => wanted.length === 0 || wanted.includes(check.name))) {
  const startedAt = performance.now();
  const problem = await run(root).catch((error) => String(error));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (problem === undefined) {
    tally.passed.push(name);
    console.log(`ok    ${name} (${seconds} s)`);
  } else {
    tally.failed.push(name);
    console.log(`FAIL  ${name} (${seconds} s)\n${problem.trimEnd()}\n      ${remedy}\n`);
  }
}
await mkdir(join(root, ".cache"), { recursive: true });
await writeFile(join(root, ".cache", "checks.json"), JSON.stringify(tally));
console.log(`\nChecks: ${tally.passed.length} passed, ${tally.failed.length} failed`);
process.exitCode = tally.failed.length === 0 ? 0 : 1;
