import fc from "fast-check";
import { expect, test } from "vitest";
import { cutToWhole, fitBytes } from "./fit-text.js";

const anyText = fc.string({ unit: "binary", maxLength: 100 });

test("bytes are counted, and what fits is the longest beginning of whole characters", () => {
  fc.assert(
    fc.property(anyText, fc.nat(200), (text, bytesMax) => {
      expect(fitBytes(text, Infinity)).toEqual({ bytes: Buffer.byteLength(text), end: text.length });
      const { bytes, end } = fitBytes(text, bytesMax);
      expect([Buffer.byteLength(text.slice(0, end)), bytes <= bytesMax]).toEqual([bytes, true]);
      const next = String.fromCodePoint(text.codePointAt(end) ?? 0);
      expect(end === text.length || bytes + Buffer.byteLength(next) > bytesMax).toBe(true);
    }),
  );
});

test("cuts at a line or a word, never inside a number or token", () => {
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
