import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runProgram } from "@periscope/harness/program";
import { finish, root, type Tally } from "./tally.ts";

// Usage: node scores.ts [--update]. Scores the privacy filter on labelled texts by the script beside them. No figure may fall below the
// ratchet or below what the privacy rules promise. The texts are in PRIVACY_EVAL_DATA, else in ../shared/privacy-data beside the
// repository; where nobody named a folder and there is none, nothing is scored and nothing counts. `--update` writes the ratchet anew.

/** Least share of values, in percent, of which at least 90 % of the letters and digits must be gone at level `filtered`, by kind. */
const fullMin = {
  email: 99.5,
  credit_card: 99,
  iban: 98,
  us_ssn: 99,
  ip: 98,
  jwt: 100,
  private_key: 100,
  url_auth: 100,
  api_key: 92,
  api_key_ctx: 93,
  generic_secret: 85,
  password: 80,
  url_token: 92,
  phone: 93,
  national_id: 60,
};
/** Most characters of 10,000 that may be changed in pages with nothing to remove. */
const changedPer10000Max = { "page-text": 1, "page-markdown": 3, "page-html": 1 };
/** Most texts with nothing to remove that may be changed, in percent. */
const changedTextsMax = { "url-clean": 1, "clean-short": 1 };

/** Counts, so that one value more or less is seen. `share` is the mean share of the letters and digits that was removed, in percent. */
export interface Figures {
  kinds: Record<string, { values: number; gone: number; full: number; share: number }>;
  clean: Record<string, { texts: number; changedTexts: number; characters: number; changedCharacters: number }>;
}

/** Reads what the evaluation wrote with `--json`. Keys with `|` are parts of another key. @throws Error when the filter threw, or nothing was scored */
export function readFigures(json: string): Figures {
  const { rows, errors, types, over } = JSON.parse(json) as {
    rows: number;
    errors: number;
    types: Record<string, { n: number; gone: number; full: number; cov: number }>;
    over: Record<string, { texts: number; changed: number; chars: number; charsChanged: number }>;
  };
  if (errors > 0) throw new Error(`The filter threw at ${errors} of ${rows} texts. No text may make it throw.`);
  if (rows === 0) throw new Error("The evaluation scored no text: the data is empty or of another form.");
  // What was changed beside a label may have belonged to the value: the evaluation cannot tell.
  const entries = <T>(record: Record<string, T>) =>
    Object.entries(record)
      .filter(([key]) => !key.includes("|") && !key.startsWith("outside-labels"))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    kinds: Object.fromEntries(
      entries(types).map(([kind, { n, gone, full, cov }]) => [kind, { values: n, gone, full, share: Math.round((1_000 * cov) / n) / 10 }]),
    ),
    clean: Object.fromEntries(
      entries(over).map(([group, { texts, changed, chars, charsChanged }]) => [
        group,
        { texts, changedTexts: changed, characters: chars, changedCharacters: charsChanged },
      ]),
    ),
  };
}

/** Compares with the ratchet and with what is promised. What is missing has failed. */
export function compare(now: Figures, before: Figures): Tally {
  const tally: Tally = { passed: [], failed: [] };
  const expect = (name: string, holds: boolean) => void tally[holds ? "passed" : "failed"].push(name);
  for (const kind of new Set([...Object.keys(now.kinds), ...Object.keys(before.kinds)])) {
    const [is, was] = [now.kinds[kind], before.kinds[kind]];
    const isKept = is && was && is.values === was.values && is.gone >= was.gone && is.full >= was.full && is.share >= was.share;
    expect(`${kind} not worse: ${JSON.stringify(was)}, now ${JSON.stringify(is)}`, isKept === true);
  }
  for (const group of new Set([...Object.keys(now.clean), ...Object.keys(before.clean)])) {
    const [is, was] = [now.clean[group], before.clean[group]];
    const isSame = is && was && is.texts === was.texts && is.characters === was.characters;
    const isKept = isSame && is.changedTexts <= was.changedTexts && is.changedCharacters <= was.changedCharacters;
    expect(`${group} not worse: ${JSON.stringify(was)}, now ${JSON.stringify(is)}`, isKept === true);
  }
  for (const [kind, least] of Object.entries(fullMin)) {
    const { full = 0, values = 0 } = now.kinds[kind] ?? {};
    expect(`${kind} at least ${least} %`, values > 0 && (100 * full) / values >= least);
  }
  for (const [group, most] of Object.entries(changedPer10000Max)) {
    const { characters = 0, changedCharacters = 0 } = now.clean[group] ?? {};
    expect(`${group} at most ${most} in 10,000`, characters > 0 && (10_000 * changedCharacters) / characters <= most);
  }
  for (const [group, most] of Object.entries(changedTextsMax)) {
    const { texts = 0, changedTexts = 0 } = now.clean[group] ?? {};
    expect(`${group} at most ${most} % changed`, texts > 0 && (100 * changedTexts) / texts <= most);
  }
  return tally;
}

/** A line a kind, so that a change of one figure is a change of one line. */
function writeFigures({ kinds, clean }: Figures): string {
  const lines = (record: object) =>
    Object.entries(record).map(
      ([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value, undefined, 1).replaceAll(/\n */g, " ")}`,
    );
  return `{\n  "kinds": {\n${lines(kinds).join(",\n")}\n  },\n  "clean": {\n${lines(clean).join(",\n")}\n  }\n}\n`;
}

/** Speed is left to the bench, which knows that it depends on the machine. */
async function evaluate(folder: string): Promise<Figures> {
  const own = await mkdtemp(join(tmpdir(), "periscope-scores-"));
  try {
    const json = join(own, "figures.json");
    const adapter = join(root, "packages/privacy/eval/adapter.mjs");
    const words = [join(folder, "eval.mjs"), adapter, "filtered", "--only", "dev.jsonl.gz", "--no-perf", "--no-stress", "--json", json];
    const { code, out, err } = await runProgram([process.execPath, ...words], { cwd: root, env: process.env });
    console.log((out + err).trimEnd());
    if (code !== 0) throw new Error(`The evaluation ended with status ${code}.`);
    return readFigures(await readFile(json, "utf8"));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const named = process.env["PRIVACY_EVAL_DATA"] ?? "";
  const folder = named === "" ? resolve(root, "../shared/privacy-data") : resolve(named);
  const missing = ["dev.jsonl.gz", "eval.mjs"].filter((name) => !existsSync(join(folder, name)));
  if (missing.length > 0) {
    const reason = `${missing.join(" and ")} not found in ${folder}. PRIVACY_EVAL_DATA names the folder of the labelled texts`;
    console.log(`The privacy evaluation did NOT run: ${reason}.`);
    finish("privacy", named === "" ? { passed: [], failed: [], notRun: reason } : { passed: [], failed: [reason] });
  } else {
    const ratchet = join(root, "packages/privacy/eval/ratchet.json");
    const figures = await evaluate(folder);
    if (process.argv.includes("--update")) await writeFile(ratchet, writeFigures(figures));
    const tally = compare(figures, JSON.parse(await readFile(ratchet, "utf8")) as Figures);
    for (const name of tally.failed) console.log(`FAIL  ${name}`);
    finish("privacy", tally);
  }
}
