import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { againstRatchet, againstTargets } from "./compare.ts";
import { readFigures, writeFigures, type Figures } from "./figures.ts";
import { findLabelledTexts } from "./labelled-texts.ts";
import { changedPer10000Max, changedTextsMax, fullMin } from "./targets.ts";

const type = { n: 200, gone: 200, full: 200, cov: 200 };
const group = { texts: 100, changed: 0, chars: 10_000, charsChanged: 0 };
const evaluation = {
  rows: 10,
  errors: 0,
  types: { ...Object.fromEntries(Object.keys(fullMin).map((kind) => [kind, type])), "dev.gz|email": type },
  over: {
    ...Object.fromEntries([...Object.keys(changedPer10000Max), ...Object.keys(changedTextsMax)].map((name) => [name, group])),
    "outside-labels": { ...group, charsChanged: 500 },
    "dev.gz|page-html": group,
  },
};
const figuresOf = (more: { types?: object; over?: object; errors?: number } = {}): Figures =>
  readFigures(
    JSON.stringify({
      ...evaluation,
      ...more,
      types: { ...evaluation.types, ...more.types },
      over: { ...evaluation.over, ...more.over },
    }),
  );
const problems = (findings: ReadonlyArray<{ name: string; problem: string | undefined }>) =>
  findings.filter(({ problem }) => problem !== undefined).map(({ name, problem }) => `${name}: ${problem}`);

test("the same figures pass, and are the same after they were written", () => {
  const figures = figuresOf();
  expect(JSON.parse(writeFigures(figures))).toEqual(figures);
  expect(Object.keys(figures.clean)).not.toContain("outside-labels");
  const findings = [...againstRatchet(figures, figures), ...againstTargets(figures)];
  expect(findings).toHaveLength(2 * (15 + 5));
  expect(problems(findings)).toEqual([]);
});

test("one value less, or one character more in a clean page, is worse", () => {
  const now = figuresOf({ types: { email: { ...type, full: 199, cov: 199.5 } }, over: { "page-html": { ...group, charsChanged: 1 } } });
  expect(problems(againstRatchet(now, figuresOf()))).toEqual([
    "email not worse: full 199, was 200; share 99.8, was 100",
    "page-html not worse: changedCharacters 1, was 0",
  ]);
  expect(problems(againstRatchet(figuresOf(), now))).toEqual([]);
});

test("a kind that is no longer scored, other texts, and a kind that is not held yet do not pass", () => {
  const { email: _, ...kinds } = figuresOf().kinds;
  expect(problems(againstRatchet({ ...figuresOf(), kinds }, figuresOf()))).toHaveLength(1);
  expect(problems(againstRatchet(figuresOf(), { ...figuresOf(), kinds }))).toHaveLength(1);
  expect(problems(againstRatchet(figuresOf({ types: { email: { ...type, n: 300, full: 300 } } }), figuresOf()))).toHaveLength(1);
  expect(problems(againstTargets({ ...figuresOf(), kinds }))).toEqual([
    "email at least 99.5 %: nothing was scored, wanted at least 99.5 %",
  ]);
});

test("what the privacy rules promise is the least, whatever the ratchet says", () => {
  const now = figuresOf({
    types: { card: type, credit_card: { ...type, full: 197 }, iban: { ...type, full: 196 } },
    over: { "page-markdown": { ...group, charsChanged: 4 }, "url-clean": { ...group, changed: 2 } },
  });
  expect(problems(againstTargets(now))).toEqual([
    "credit_card at least 99 %: 98.50, wanted at least 99 %",
    "page-markdown at most 3 in 10,000: 4.00, wanted at most 3 in 10,000",
    "url-clean at most 1 % changed: 2.00, wanted at most 1 % changed",
  ]);
});

test("a filter that threw, and an evaluation of nothing, are no scores", () => {
  expect(() => figuresOf({ errors: 1 })).toThrow("threw at 1 of 10");
  expect(() => readFigures(JSON.stringify({ ...evaluation, rows: 0 }))).toThrow("no text");
});

test("texts that are not there were not scored; a folder that was named must hold them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "periscope-texts-"));
  try {
    expect(findLabelledTexts(join(folder, "repository"))).toMatchObject({
      folder: undefined,
      tally: { passed: [], failed: [], notRun: expect.stringContaining("dev.jsonl.gz") },
    });
    expect(findLabelledTexts("/", folder)).toMatchObject({
      folder: undefined,
      tally: { passed: [], failed: [expect.stringContaining(folder)] },
    });
    await writeFile(join(folder, "dev.jsonl.gz"), "");
    await writeFile(join(folder, "eval.mjs"), "");
    expect(findLabelledTexts("/", folder)).toEqual({ folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
