import { readdirSync, readFileSync } from "node:fs";
import { checkSync } from "recheck";
import { expect, test } from "vitest";
import { vendorTokens } from "../src/data/vendor-tokens.js";
import { labels } from "../src/data/labels.js";
import { labelledShapes } from "../src/detectors/labelled-value.js";
import { nationalShapes } from "../src/detectors/national-id.js";
import { nationalNumbers } from "../src/detectors/national/numbers.js";

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
  ...labelledShapes.map(({ source, flags }, index) => ({ where: `label ${labels[index]?.kind}`, source, flags })),
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

test.each(patterns.map((pattern) => [`${pattern.where}: /${pattern.source.slice(0, 60)}/${pattern.flags}`, pattern] as const))(
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
  },
  // Of the search itself, which holds up the process.
  600_000,
);
