import { describe, expect, test } from "vitest";
import { redactHtml, redactText, redactUrl } from "../src/index.js";

/** Repeats that make patterns with overlapping parts backtrack, each with a tail that makes a match fail late. */
const hostile: ReadonlyArray<readonly [unit: string, tail: string]> = [
  ["a", ""],
  ["a.", ""],
  ["a@", ""],
  ["a@a.", "!"],
  ["-", ""],
  ["1", ""],
  ["1 ", ""],
  ["4111-", ""],
  ["4111 ", "1"],
  ["1.", ""],
  ["1:", ""],
  ["::", ""],
  ["f:", ""],
  ["DE89 ", ""],
  ["A1", ""],
  ["eyJ", ""],
  ["eyJhbGciOi.", ""],
  ["-----BEGIN PRIVATE KEY-----\n", ""],
  ["-----BEGIN ", ""],
  ["http://a:", ""],
  ["http://", ""],
  ["://", "@"],
  ["?a=", ""],
  ["&token=", ""],
  ["password=", ""],
  ['password: "', ""],
  ["password:'", ""],
  ["key ", ""],
  [" ", "x"],
  ["\t\n", "x"],
  ["(555) ", ""],
  ["+1", ""],
  ["AKIA", ""],
  ["xoxb-1-", ""],
  ["%40", ""],
  ["\u200b", ""],
  ["\u{1f600}", ""],
  ['<input type="password" value="', ""],
  ["[x](", ""],
  ["é", "@a.co"],
  ["<", ""],
  ["<a ", ""],
  ["<!--", ""],
  ["<svg>", ""],
  ["<script>", ""],
  ["&#64;", ""],
  ["&", ""],
  ['{"a":', ""],
  ["kind: Secret\n", ""],
  ["kind: Secret\ndata:\n", ""],
  ["identified by '", ""],
  ["curl -u a:", ""],
  ["ssn ", "1"],
  ["phone 1 ", ""],
  ["begin:vcard\n", ""],
  ['{"@type":"Person",', ""],
  ["sk-", ""],
  ["/reset", ""],
  ["a=1&", ""],
  ["[REDACTED:", ""],
  ["[REDACTED:email]", ""],
  ["REDACTED", ""],
  ["jo@example.org ", ""],
  ["4111111111111111,", ""],
  ["123-45-6789 ", ""],
  ["\\n", ""],
  ["dob: ", ""],
  ["g-", ""],
  ["1.1.1.1", ""],
  ["00:", ""],
];
const small = 65_536;
const large = 131_072;

/** Processor time in milliseconds: what else the machine does takes little of it. */
function cost(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  return process.cpuUsage(start).user / 1000;
}

/** Below this, in milliseconds, a ratio is noise; work that grows with the square is far above it at this size. */
const measurable = 60;
/** Twice the text takes twice the time; four times would be quadratic. */
const ratioMax = 3.2;

/**
 * Compares the least cost of either length, by turns, over two runs or more: on a busy machine single runs stray, and their least
 * comes closer to the truth with each. Quadratic work stays at a ratio of four however often it is run.
 */
function expectLinear(run: (text: string) => unknown, [unit, tail]: readonly [string, string]): void {
  const text = (length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + tail;
  let shorter = Number.POSITIVE_INFINITY;
  let longer = Number.POSITIVE_INFINITY;
  for (let round = 1; round <= 8; round++) {
    longer = Math.min(
      longer,
      cost(() => run(text(large))),
    );
    if (longer < measurable) return;
    shorter = Math.min(
      shorter,
      cost(() => run(text(small))),
    );
    if (round >= 2 && longer / shorter < ratioMax) return;
  }
  expect(longer / shorter).toBeLessThan(ratioMax);
}

describe.each([
  ["redactText", (text: string) => redactText(text, "filtered")],
  ["redactHtml to HTML", (text: string) => redactHtml(text, "private")],
  ["redactHtml to text", (text: string) => redactHtml(text, "filtered")],
  ["redactUrl", (text: string) => redactUrl(`https://a.example/${text}`, "filtered")],
] as const)("%s takes linear time", (_, run) => {
  test.each(hostile)(
    "on %j repeated, then %j",
    (unit, tail) => {
      run("warm up jo@example.org 4111111111111111");
      expectLinear(run, [unit, tail]);
    },
    60_000,
  );
});
