import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { checkSync } from "recheck";
import { afterAll, expect, test } from "vitest";
import { vendorTokens } from "../src/data/vendor-tokens.js";
import { floorLabels, labels } from "../src/data/labels.js";
import { labelShapes } from "../src/detectors/labelled.js";
import { nationalShapes } from "../src/detectors/national-id.js";
import { nationalNumbers } from "../src/data/national-numbers.js";

/** A regular expression literal where one can stand: after an operator, a bracket, a comma or `return`. */
const literal = /(?<=[=(,:[!&|?{};]\s{0,12}|return )\/(?![/*])((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuy]*)/g;

interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

function sourceFiles(): string[] {
  const root = new URL("../src/", import.meta.url);
  return readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
}

function literals(): Pattern[] {
  return sourceFiles().flatMap((file) => {
    const text = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8").replaceAll(/^\s*(?:\*|\/\*\*|\/\/).*$/gm, "");
    return [...text.matchAll(literal)].map(([, source = "", flags = ""]) => ({ where: file, source, flags }));
  });
}

/** The tables' shapes are tried at one place only, hence sticky. */
const everything: Pattern[] = [
  ...literals(),
  ...vendorTokens.map(({ vendor, shape }) => ({ where: `vendor ${vendor}`, source: shape, flags: "y" })),
  ...nationalShapes.map(({ source, flags }, index) => ({ where: `national ${nationalNumbers[index]?.name}`, source, flags })),
  ...[labels, floorLabels].flatMap((table) =>
    labelShapes(table).map(({ source, flags }, index) => ({ where: `label ${table[index]?.kind}`, source, flags })),
  ),
];

const patterns = [...new Map(everything.map((pattern) => [`${pattern.source}/${pattern.flags}`, pattern])).values()];

test("the literals of the sources are found", () => {
  expect(literals().length).toBeGreaterThan(120);
  for (const { source, flags } of patterns) expect(() => new RegExp(source, flags)).not.toThrow();
});

/** Sticky patterns are tried at one place only, so what recheck measures is the pattern anchored there. */
function anchored({ source, flags }: Pattern): [source: string, flags: string] {
  return flags.includes("y") || !flags.includes("g")
    ? [flags.includes("y") ? `^(?:${source})` : source, flags.replace(/[dy]/g, "")]
    : [source, flags.replace("d", "")];
}

/**
 * Hashes of patterns that are proven already, one a line. A deep run proves every pattern again and writes the list; any other proves what
 * is not on it, so that a new pattern is never taken on trust.
 */
const listFile = new URL("proven-patterns.txt", import.meta.url);
const isDeep = process.env["TEST_DEEP"] === "1";
const proven = new Set(isDeep ? [] : readFileSync(listFile, "utf8").trim().split("\n"));
const hashOf = (pattern: Pattern): string => hash("sha256", anchored(pattern).join("/"), "hex").slice(0, 24);

test.each(
  patterns
    .filter((pattern) => !proven.has(hashOf(pattern)))
    .map((pattern) => [`${pattern.where}: /${pattern.source.slice(0, 60)}/${pattern.flags}`, pattern] as const),
)(
  "%s is linear",
  (_, pattern) => {
    const [source, flags] = anchored(pattern);
    const result = checkSync(source, flags, {
      checker: "auto",
      timeout: 600_000,
      attackTimeout: 1000,
      incubationTimeout: 1000,
      maxIteration: 10,
      recallTimeout: -1,
    });
    expect(result.status === "vulnerable" ? result.complexity.summary : result.status).toBe("safe");
    proven.add(hashOf(pattern));
  },
  // Of the search itself, which holds up the process.
  600_000,
);

afterAll(() => {
  if (isDeep) writeFileSync(listFile, `${[...proven].toSorted().join("\n")}\n`);
});
