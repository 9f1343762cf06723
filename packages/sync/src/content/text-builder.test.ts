import fc from "fast-check";
import { expect, test } from "vitest";
import { startBudget, paceOf } from "./budget.js";
import { cutToJson, cutToWhole, fitJson } from "./fit-text.js";
import { textBuilder } from "./text-builder.js";

const anyText = fc.string({ unit: "binary", maxLength: 100 });
const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

test("bytes are counted as JSON has them, and what is cut is the longest beginning that fits", () => {
  fc.assert(
    fc.property(anyText, fc.nat(200), (text, bytesMax) => {
      expect(fitJson(text, Infinity)).toEqual({ bytes: jsonBytes(text), end: text.length });
      const kept = cutToJson(text, bytesMax);
      expect(text.startsWith(kept)).toBe(true);
      expect(jsonBytes(kept)).toBeLessThanOrEqual(bytesMax);
      const next = String.fromCodePoint(text.codePointAt(kept.length) ?? 0);
      expect(kept === text || jsonBytes(kept + next) > bytesMax).toBe(true);
    }),
  );
});

test("text before the filter is cut at a line, else at a word, never within what may be a number or a token", () => {
  expect(cutToWhole(`${"line\n".repeat(100)}4111 1111 11`)).toBe("line\n".repeat(100).trimEnd());
  expect(cutToWhole(`${"word ".repeat(100)}411111`)).toBe("word ".repeat(100).trimEnd());
  const words = "word ".repeat(100);
  for (const number of ["4111 1111 11", "4111-1111 - 11", "+49 (0) 170\u00a012 3", "GB82 WEST 1234 56", "GB82 WEST", "12.\u200b34 5"])
    expect(cutToWhole(words + number)).toBe(words.trimEnd());
  expect(cutToWhole(`${words}the BBC of`)).toBe(`${words}the BBC`);
  expect(cutToWhole("1234 ".repeat(100))).toBe("");
  // Without blanks, as Chinese is: what is no token ends where it was.
  const lamps = "灯塔".repeat(100);
  expect(cutToWhole(lamps)).toBe(lamps);
  expect(cutToWhole(`${lamps}4111-1111`)).toBe(lamps);
  expect(cutToWhole(`${lamps}4111 1111 11`)).toBe(lamps);
  expect(cutToWhole(`{"key":"${"x".repeat(5_000)}`)).toBe('{"key":"');
});

test("words, lines and cells come together as they are read", () => {
  const out = textBuilder(1_000);
  out.endLine(2);
  out.add("  The \n");
  out.add("keeper");
  out.add(" ");
  out.add("lights ");
  out.endLine();
  out.endLine(2);
  out.add("\n ");
  out.add("one");
  out.put("\t");
  out.add(" two");
  out.put("\n");
  out.add("a  b\n c", true);
  out.addWhole("\nwhole\n\n");
  expect(out.text()).toBe("The keeper lights\n\none\ttwo\na  b\n cwhole");
});

test("the text of chunks is that of the whole, at most what fits", () => {
  const long = "灯塔 lamp\n🗼 ".repeat(4_000);
  const whole = textBuilder(10_000_000);
  whole.add(long);
  expect(whole.text()).toBe(long.replaceAll(/\s+/g, " ").trim());
  expect(whole.isFull).toBe(false);
  const short = textBuilder(5_000);
  short.add(long);
  expect([short.isFull, short.text()]).toEqual([true, cutToJson(whole.text(), 5_000)]);
});

test("a budget counts its slices and not what is between them; a pace is what was measured", async () => {
  let time = 100;
  const pause = async () => {
    time += 1_000;
  };
  const budget = startBudget(50, { now: () => time, pause });
  time += 5;
  expect([await budget.breathe(), budget.usedMs()]).toEqual([false, 5]);
  time += 5;
  expect([await budget.breathe(), budget.usedMs(), budget.leftMs(), budget.isOver()]).toEqual([true, 10, 40, false]);
  time += 40;
  expect(budget.isOver()).toBe(true);
  const pace = paceOf(400);
  expect([pace.fits(20_000, 50), pace.fits(20_001, 50)]).toEqual([true, false]);
  pace.note(20_000, 500);
  expect([pace.fits(2_000, 50), pace.fits(2_001, 50)]).toEqual([true, false]);
});

test("what is read as one sign is not cut in two", () => {
  const signs = ["👩‍👩‍👧‍👦", "🇫🇷", "👍🏽", "e\u0301", "நி", "🗼"];
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 40 }), fc.nat(400), (list, bytesMax) => {
      const text = list.join("");
      const whole = [...graphemes.segment(text)].map(({ segment }) => segment);
      const out = textBuilder(bytesMax);
      out.add(text);
      const kept = [...graphemes.segment(cutToWhole(out.text()))].map(({ segment }) => segment);
      expect(kept).toEqual(whole.slice(0, kept.length));
      expect(out.isFull).toBe(out.text() !== text);
    }),
  );
  // Longer than anybody reads as one: it does not take the text with it.
  const out = textBuilder(1_000);
  out.add(`e${"\u0301".repeat(2_000)}`);
  expect(out.text().length).toBeGreaterThan(400);
});
