import { expect, test } from "vitest";
import { progressLine } from "./progress-line.js";

function shown(isErrTerminal: boolean, steps: ReadonlyArray<readonly [number, number]>): string {
  let err = "";
  {
    using line = progressLine({ env: {}, out: () => {}, err: (text) => void (err += text), isErrTerminal }, "contexts");
    for (const [done, total] of steps) line.show(done, total);
  }
  return err;
}

test("a terminal gets one line, which is gone at the end", () => {
  const err = shown(true, [[1_200, 2_400]]);
  expect(err).toBe("\r[###############---------------]  50%  1,200 of 2,400 contexts, 0 a second\u001B[K\r\u001B[K");
});

test("the line of a terminal is not written anew for every step", () => {
  const steps = Array.from({ length: 1_000 }, (_, done) => [done, 1_000] as const);
  expect(shown(true, steps).match(/contexts/g)?.length).toBeLessThan(100);
});

test("nothing to do is all done", () => {
  expect(shown(true, [[0, 0]])).toContain("[##############################] 100%  0 of 0 contexts");
});

test("another output gets nothing from a short command", () => {
  expect(shown(false, [[1, 2]])).toBe("");
});
