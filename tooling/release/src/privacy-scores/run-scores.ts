import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCommand } from "../run-command.ts";
import type { Tally } from "../tally.ts";
import { againstRatchet, againstTargets } from "./compare.ts";
import { readFigures, writeFigures, type Figures } from "./figures.ts";
import { findLabelledTexts, scriptFile, textsFile } from "./labelled-texts.ts";

// Usage: node run-scores.ts [--update]. Scores the privacy filter on labelled texts by the script that lies beside them, and holds it to
// the ratchet and to what the privacy rules promise. The folder: PRIVACY_EVAL_DATA, else ../shared/privacy-data beside the repository.
// Ends with 0 when every figure holds, 1 when one does not, 2 when nothing was scored. `--update` writes the ratchet anew.

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const ratchetFile = join(root, "packages/privacy/eval/ratchet.json");
const adapter = join(root, "packages/privacy/eval/adapter.mjs");

const { values: flags } = parseArgs({ options: { update: { type: "boolean" } } });
const texts = findLabelledTexts(root, process.env["PRIVACY_EVAL_DATA"]);

if (texts.folder === undefined) {
  console.log(`The privacy evaluation did NOT run: ${texts.reason}.`);
  console.log("Nothing was scored, and nothing counts as passed. The labelled texts are not part of the repository;");
  console.log("PRIVACY_EVAL_DATA names the folder that holds them.");
  await writeTally(texts.tally);
  process.exitCode = texts.tally.notRun === undefined ? 1 : 2;
} else if (!existsSync(join(root, "packages/privacy/dist/index.js"))) {
  console.log("The privacy evaluation did NOT run: the package is not built. Run `pnpm --filter @periscope/privacy build` first.");
  process.exitCode = 1;
} else {
  const figures = await evaluate(texts.folder);
  if (flags.update === true) {
    await writeFile(ratchetFile, writeFigures(figures));
    console.log(`Written to ${ratchetFile}. Read the difference before you commit it.`);
  }
  const ratchet = JSON.parse(await readFile(ratchetFile, "utf8")) as Figures;
  const tally: Tally = { passed: [], failed: [] };
  for (const { name, problem } of [...againstTargets(figures), ...againstRatchet(figures, ratchet)]) {
    if (problem === undefined) tally.passed.push(name);
    else {
      tally.failed.push(name);
      console.log(`FAIL  ${name}: ${problem}`);
    }
  }
  await writeTally(tally);
  console.log(`\nPrivacy scores: ${tally.passed.length} passed, ${tally.failed.length} failed`);
  if (tally.failed.length > 0)
    console.log("A figure that fell on purpose is written anew by `pnpm --filter @periscope/privacy eval --update`.");
  process.exitCode = tally.failed.length === 0 ? 0 : 1;
}

/** Speed and growth are left to the bench and to the package's tests: they depend on the machine. */
async function evaluate(folder: string): Promise<Figures> {
  const own = await mkdtemp(join(tmpdir(), "periscope-scores-"));
  try {
    const json = join(own, "figures.json");
    const command = [process.execPath, join(folder, scriptFile), adapter, "filtered", "--only", textsFile, "--no-perf", "--no-stress"];
    const { status, output } = await runCommand([...command, "--json", json], { cwd: root });
    console.log(output.trimEnd());
    if (status !== 0) throw new Error(`The evaluation ended with status ${status}.`);
    return readFigures(await readFile(json, "utf8"));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

async function writeTally(tally: Tally): Promise<void> {
  await mkdir(join(root, ".cache"), { recursive: true });
  await writeFile(join(root, ".cache", "privacy.json"), JSON.stringify(tally));
}
