import { describe, expect, test } from "vitest";
import { detectorKinds, explain, type PrivacyLevel, redactText } from "../src/index.js";

/** Cases of one detector. */
export interface DetectorTable {
  kind: string;
  /** The lowest level at which it works on content. */
  from: PrivacyLevel;
  /** Text and the value in it that must go, all of it and nothing else. */
  removed: ReadonlyArray<readonly [text: string, value: string]>;
  /** Texts in which this kind must find nothing. */
  kept: readonly string[];
}

/** Runs a detector's table: what goes, from which level on, what stays, and that a second pass changes nothing. */
export function detectorTable({ kind, from, removed, kept }: DetectorTable): void {
  describe(kind, () => {
    test("is a kind that policies may name", () => {
      expect(detectorKinds.map((known) => known.kind)).toContain(kind);
    });

    test.each(removed)("removes the value from %j", (text, value) => {
      const at = text.indexOf(value);
      expect(at, "the value must be in the text").toBeGreaterThanOrEqual(0);
      const found = explain(text, from).filter((finding) => finding.kind === kind);
      expect(found.map(({ start, end }) => text.slice(start, end))).toEqual([value]);
      const once = redactText(text, from).text;
      expect(once).not.toContain(value);
      expect(redactText(once, from).text).toBe(once);
    });

    test.each(removed)("removes the value where markdown escapes %j", (text, value) => {
      for (const escapes of [/[\\`*_[\]]/g, /[!-/:-@[-`{-~]/g]) {
        const escaped = text.replaceAll(escapes, String.raw`\$&`);
        const once = redactText(escaped, from, { format: "markdown" }).text;
        expect(once.replaceAll("\\", "")).not.toContain(value.replaceAll("\\", ""));
        expect(redactText(once, from, { format: "markdown" }).text).toBe(once);
      }
    });

    test.each(kept)("keeps %j", (text) => {
      expect(explain(text, "filtered").filter((finding) => finding.kind === kind)).toEqual([]);
    });
  });
}

/** Joins parts of a value that looks like a secret, so that scanners of this repository do not take it for one. */
export const joined = (...parts: readonly string[]): string => parts.join("");

/** `count` characters that look random and are the same every time. */
export function noise(count: number, alphabet = "aB3dE6gH1jK4mN7pQ0sT2vW5yZ8c"): string {
  let state = 7;
  let out = "";
  while (out.length < count) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    out += alphabet.charAt((state >> 8) % alphabet.length);
  }
  return out;
}
