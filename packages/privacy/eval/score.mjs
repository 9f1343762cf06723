#!/usr/bin/env node
// Scores the filter on labelled texts and holds it to the figures in `ratchet.json`.
//
//   pnpm build && node eval/score.mjs <file.jsonl[.gz]> [--update]
//
// One JSON object a line: {id, text, group, format?, entities: [{type, start, end, weak?}]}, offsets in UTF-16 units. `group` is
// `clean`, `url-clean` or `hardneg` for texts in which nothing is to be found, anything else for texts with values.
// Scored at level `filtered`: `full` is the share of values of which at least 90% of the letters and digits are gone; over-redaction
// is changed characters per 10,000 outside of labels (pages) or changed texts (short texts, URLs). Exit code 1 when a figure
// is worse than in the ratchet; `--update` writes what was reached.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { explain, redactText } from "../dist/index.js";

const print = (line) => process.stdout.write(`${line}\n`);
const complain = (line) => process.stderr.write(`${line}\n`);
const byName = ([a], [b]) => (a < b ? -1 : 1);

const [file, ...flags] = process.argv.slice(2);
if (file === undefined) {
  complain("usage: node eval/score.mjs <file.jsonl[.gz]> [--update]");
  process.exit(2);
}
const ratchetFile = new URL("ratchet.json", import.meta.url);
const bytes = readFileSync(file);
const rows = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes)
  .toString("utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));

const wordUnit = /[\p{L}\p{N}]/u;
const kinds = new Map();
const clean = new Map();
for (const { text, group, format, entities } of rows) {
  const gone = new Uint8Array(text.length);
  for (const { start, end } of explain(text, "filtered")) gone.fill(1, start, end);
  const labelled = new Uint8Array(text.length);
  for (const { type, start, end, weak } of entities) {
    labelled.fill(1, start, end);
    if (weak) continue;
    let units = 0;
    let removed = 0;
    for (let at = start; at < end; at++) {
      if (!wordUnit.test(text[at])) continue;
      units++;
      removed += gone[at];
    }
    const name = group === "adversarial" ? `adversarial ${type}` : type;
    const kind = kinds.get(name) ?? { count: 0, full: 0 };
    kinds.set(name, { count: kind.count + 1, full: kind.full + (units === 0 || removed / units >= 0.9) });
  }
  if (group !== "clean" && group !== "url-clean") continue;
  const name = format ? `page ${format}` : group === "clean" ? "short texts" : "URLs";
  const sum = clean.get(name) ?? { texts: 0, changed: 0, units: 0, wrong: 0 };
  let wrong = 0;
  for (let at = 0; at < text.length; at++) wrong += gone[at] === 1 && labelled[at] === 0 ? 1 : 0;
  clean.set(name, { texts: sum.texts + 1, changed: sum.changed + (wrong > 0), units: sum.units + text.length, wrong: sum.wrong + wrong });
}

const round = (value) => Math.round(value * 10) / 10;
const figures = {
  full: Object.fromEntries([...kinds].toSorted(byName).map(([kind, { count, full }]) => [kind, round((100 * full) / count)])),
  overRedaction: Object.fromEntries(
    [...clean]
      .toSorted(byName)
      .map(([name, { texts, changed, units, wrong }]) => [
        name,
        name.startsWith("page") ? round((10_000 * wrong) / units) : round((100 * changed) / texts),
      ]),
  ),
};
for (const [kind, share] of Object.entries(figures.full))
  print(`${kind.padEnd(32)} ${String(kinds.get(kind).count).padStart(6)} ${share.toFixed(1).padStart(6)}%`);
for (const [name, value] of Object.entries(figures.overRedaction))
  print(
    `${name.padEnd(32)} ${String(clean.get(name).texts).padStart(6)} ${value.toFixed(1).padStart(6)} ${name.startsWith("page") ? "per 10,000 characters" : "% changed"}`,
  );
for (const [name, texts] of [
  ["text with values", rows.filter(({ entities, group }) => entities.length > 0 && group === "pii")],
  ["pages", rows.filter(({ format }) => format)],
]) {
  if (texts.length > 0)
    print(
      `${name.padEnd(32)} ${speed(texts.map(({ text }) => text))
        .toFixed(1)
        .padStart(13)} MB/s`,
    );
}

/** Processor time on 1 MB documents, after a warm-up. */
function speed(texts) {
  let document = "";
  for (let i = 0; document.length < 1_000_000; i++) document += `${texts[i % texts.length]}\n`;
  for (let i = 0; i < 3; i++) redactText(document, "filtered");
  const start = process.cpuUsage();
  const rounds = 10;
  for (let i = 0; i < rounds; i++) redactText(document, "filtered");
  return (rounds * Buffer.byteLength(document)) / process.cpuUsage(start).user;
}

if (flags.includes("--update")) {
  writeFileSync(ratchetFile, `${JSON.stringify(figures, null, 2)}\n`);
  process.exit(0);
}
const ratchet = JSON.parse(readFileSync(ratchetFile, "utf8"));
const worse = [
  ...Object.entries(ratchet.full)
    .filter(([kind, share]) => (figures.full[kind] ?? 0) < share)
    .map(([kind, share]) => `${kind}: ${figures.full[kind]}% of values removed, was ${share}%`),
  ...Object.entries(ratchet.overRedaction)
    .filter(([name, value]) => (figures.overRedaction[name] ?? 0) > value)
    .map(([name, value]) => `${name}: over-redaction ${figures.overRedaction[name]}, was ${value}`),
];
for (const line of worse) complain(`worse: ${line}`);
process.exit(worse.length > 0 ? 1 : 0);
