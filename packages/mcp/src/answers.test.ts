import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Context } from "@periscope/schemas";
import { bounds, largestFit, sizeOf } from "./bounds.js";
import { contextAnswer } from "./context-answer.js";
import { fence, newBoundary } from "./fence.js";
import { cut, line } from "./line.js";
import { historyAnswer, searchAnswer } from "./list-answer.js";

const text = fc.string({ unit: "binary", maxLength: 6_000 });
const nasty = fc.oneof(text, fc.constantFrom('"\\'.repeat(3_000), "\u0001".repeat(5_000), "😀".repeat(3_000), "\n".repeat(6_000), ">>>"));
const maxChars = fc.integer({ min: bounds.maxCharsMin, max: 6_000 });

const base = {
  contextId: "c".repeat(128),
  userId: "u",
  type: "navigation",
  contentFormat: "markdown",
  tabId: "1",
  extensionId: "1",
  timestamp: "2026-01-31T12:00:00.000Z",
  privacyLevel: "restricted",
  metadata: {},
} as const;

function contextOf(title: string, url: string, content: string): Context {
  const tabMetadata = { id: "1", url, title, isActive: true, isLoading: false, windowId: 0, lastUpdated: base.timestamp };
  return { ...base, title, url, content, tabMetadata };
}

describe("answers", () => {
  it("fit, whatever the page holds, and lead through the whole of it", async () => {
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, maxChars, async (title, url, content, most) => {
        let at = 0;
        let read = "";
        for (let parts = 0; at < content.length || parts === 0; parts++) {
          let end = at;
          const fetch = async (chars: number) => {
            const part = cut(content.slice(at), chars) || content.slice(at, at + 2);
            end = at + part.length;
            const rest = end < content.length ? { nextContentCursor: "n".repeat(256) } : {};
            return { ...contextOf(title, url, part), ...rest };
          };
          const answer = await contextAnswer(fetch, most);
          expect(sizeOf(answer)).toBeLessThanOrEqual(most);
          expect(end > at || content === "").toBe(true);
          read += content.slice(at, end);
          at = end;
        }
        expect(read).toBe(content);
      }),
      { numRuns: 60 },
    );
  });

  it("hold at least one item of a list, and say where it goes on", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(nasty, nasty, nasty), { minLength: 1, maxLength: 40 }), maxChars, async (rows, most) => {
        const items = rows.map(([title, url, snippet]) => ({ ...base, title, url, snippet, relevance: 0.123_456_789 }));
        const found = searchAnswer(
          { items, total: 10_000, totalIsExact: false, correctedQuery: rows[0]?.[0] },
          { offset: 7, maxChars: most },
        );
        const shown = (found.structured["items"] as unknown[]).length;
        expect([shown > 0, sizeOf(found) <= most, found.structured["nextCursor"]]).toEqual([true, true, String(7 + shown)]);
        const history = await historyAnswer(async (limit) => ({ items: items.slice(0, limit), total: 9, nextCursor: "n".repeat(400) }), {
          limit: 40,
          maxChars: most,
        });
        expect([(history.structured["items"] as unknown[]).length > 0, sizeOf(history) <= most]).toEqual([true, true]);
      }),
      { numRuns: 40 },
    );
  });
});

it("says that a search which ends before its matches do can be narrowed", () => {
  const ended = (totalIsExact: boolean) =>
    searchAnswer({ items: [], total: 10_000, totalIsExact }, { offset: 10_001, maxChars: 4_000 }).text;
  expect([ended(false), ended(true)]).toEqual([
    expect.stringContaining("Narrow the search with startTime and endTime."),
    "No more results.",
  ]);
});

it("makes a boundary that is new each time, and in none of the texts", () => {
  const boundaries = Array.from({ length: 100 }, () => newBoundary("text"));
  expect(new Set(boundaries).size).toBe(100);
  expect(fence("text", "b").split("\n")).toEqual(["<<<b page text begins", "text", ">>>b page text ends"]);
});

it("keeps a line one line, without what cannot be seen, within its length", () => {
  expect(line(" a\r\n\u2028b\u0000\u200B\u{E0041}c\t", 10)).toBe("a b c");
  expect(line("😀😀😀", 4)).toBe("😀…");
  fc.assert(
    fc.property(nasty, fc.integer({ min: 1, max: 300 }), (given, most) => {
      const flat = line(given, most);
      expect(flat.length).toBeLessThanOrEqual(most);
      expect(flat).not.toMatch(/[\p{Cc}\n\u2028]/u);
    }),
  );
});

it("finds the largest that fits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1_000 }), (most, bound) => {
      expect(largestFit(most, (count) => count <= bound)).toBe(Math.min(most, bound));
    }),
  );
});
