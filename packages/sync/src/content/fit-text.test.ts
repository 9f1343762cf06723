import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test("what tells signs apart is made at the first cut that needs it, once", async () => {
  let made = 0;
  class Counting extends Intl.Segmenter {
    constructor(...given: ConstructorParameters<typeof Intl.Segmenter>) {
      super(...given);
      made += 1;
    }
  }
  vi.stubGlobal("Intl", { Segmenter: Counting });
  vi.resetModules();
  const { betweenSigns, cutToJson } = await import("./fit-text.js");
  expect(cutToJson("lamp", 100)).toBe("lamp");
  expect(made).toBe(0);
  const family = "👨‍👩‍👧";
  expect([betweenSigns(`a${family}b`, 3), betweenSigns(`a${family}b`, 1)]).toEqual([1, 1]);
  expect(made).toBe(1);
});
