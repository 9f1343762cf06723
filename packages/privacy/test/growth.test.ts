import { expectAlike, expectLinear } from "@periscope/vitest/growth";
import { describe, test } from "vitest";
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
  ["password?\n", ""],
  ["pins: 1, ", ""],
  ["pins:\n", ""],
  ["backup codes: 1234-5678, ", ""],
  ["Tom: and the pin\n", ""],
  ["Password hunter2\n", ""],
  ["password=a(1", "]"],
  ["pin for a ", " is 1"],
  ["g-", ""],
  ["1.1.1.1", ""],
  ["\u00a0", "x"],
  ["\\u0026", ""],
  ["\\/", ""],
  ["https://a@", ""],
  ["?a=1;b=", ""],
  [";a=", ""],
  ["pin\u00a0:\u00a0", ""],
  ["00:", ""],
];
const textSize = 131_072;

const repeated = ([unit, tail]: readonly [string, string], length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length) + tail;

function expectLinearOn(run: (text: string) => unknown, repeat: readonly [string, string]): void {
  expectLinear((length) => run(repeated(repeat, length)), textSize);
}

const isDeep = process.env["TEST_DEEP"] === "1";

// A deep run tries every text by every way in; any other tries each text by one of them.
describe.each([
  ["redactText", (text: string) => redactText(text, "filtered")],
  ["redactHtml to HTML", (text: string) => redactHtml(text, "private")],
  ["redactHtml to text", (text: string) => redactHtml(text, "filtered")],
  ["redactUrl", (text: string) => redactUrl(`https://a.example/${text}`, "filtered")],
] as const)("%s takes linear time", (name, run) => {
  const place = ["redactText", "redactHtml to HTML", "redactHtml to text", "redactUrl"].indexOf(name);
  test.each(hostile.filter((_, index) => isDeep || index % 4 === place))("on %j repeated, then %j", (unit, tail) => {
    run("warm up jo@example.org 4111111111111111");
    expectLinearOn(run, [unit, tail]);
  });
});

test.each(["1**", "1 *", "`", "<b>", "a**", "&#32;", "*"])("marks of markdown take linear time: %j", (unit) => {
  expectLinearOn((text) => redactText(text, "filtered", { format: "markdown" }), [unit, ""]);
});

test.each([
  ["input", "value=x "],
  ["meta", "content=x "],
  ["img", "alt=x "],
])("a tag %s with any number of %j takes linear time", (element, attribute) => {
  expectLinear((length) => {
    const count = Math.ceil(length / 12);
    redactHtml(`<${element} ${"a ".repeat(2 * count)}${attribute.repeat(count)}>`, "private");
  }, textSize);
});

/** Entries that are part of one another, so that many end, or nearly do, at the same place of a text. */
const nested = (count: number, unit: string, tail = ""): string[] =>
  Array.from({ length: count }, (_, index) => unit.repeat(index + 2) + tail);
/** Up to the 200 characters that an entry may have. */
const nestedLists: ReadonlyArray<readonly [unit: string, count: number, tail: string]> = [
  ["a", 199, ""],
  ["a", 198, "b"],
  ["a ", 99, ""],
  ["a ", 98, "b"],
  ["[", 199, ""],
  ["é ", 99, ""],
  ["a' ", 65, ""],
  ["王", 199, ""],
  ["가은", 99, ""],
];

describe("a deny-list takes time linear in the text, whatever is on it", () => {
  test.each(nestedLists)("on %j repeated up to %i times, then %j", (unit, count, tail) => {
    const policy = { denyList: nested(count, unit, tail) };
    redactText("warm up", "filtered", { policy });
    expectLinearOn((text) => redactText(text, "filtered", { policy }), [unit, ""]);
    // Four entries and all of them: what a list holds is no factor.
    const few = { denyList: nested(4, unit, tail) };
    const text = repeated([unit, ""], textSize);
    expectAlike(
      () => redactText(text, "filtered", { policy: few }),
      () => redactText(text, "filtered", { policy }),
    );
  });

  test("accents that are written by themselves, in long words", () => {
    const policy = { denyList: ["é".repeat(200)] };
    for (const unit of ["\u0301", "\u0316\u0301", `a${"\u0301".repeat(300)}${"\u0316".repeat(300)} `])
      expectLinearOn((text) => redactText(text, "filtered", { policy }), [unit, ""]);
  });
});
