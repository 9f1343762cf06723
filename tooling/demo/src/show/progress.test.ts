import { expect, test } from "vitest";
import { progressBar } from "./progress.ts";
import { oneLine, widthOf } from "./text-width.ts";

function written(isTTY: boolean): string[] {
  const texts: string[] = [];
  const advance = progressBar({ isTTY, write: (text) => texts.push(text) }, "Syncing", 1_000);
  for (const done of [100, 300, 550, 1_000]) advance(done);
  return texts;
}

test("a file gets a line at each quarter, without control characters", () => {
  const lines = written(false);
  expect(lines.map((line) => /(\d+) %/.exec(line)?.[1])).toEqual(["30", "55", "100"]);
  expect(lines.join("")).not.toMatch(/[^\P{Cc}\n]/u);
});

test("a terminal gets one line redrawn, under 100 columns, ended once", () => {
  const texts = written(true);
  expect(texts.every((text) => text.startsWith("\r"))).toBe(true);
  expect(Math.max(...texts.map((text) => widthOf(oneLine(text))))).toBeLessThan(100);
  expect(texts.filter((text) => text.endsWith("\n"))).toHaveLength(1);
});
