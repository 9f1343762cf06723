import * as fc from "fast-check";
import { expect, it } from "vitest";
import { timeTerms } from "./index-terms.js";
import type { SearchSnapshot, TermMatch } from "./search-engine.js";
import { partsOfRange } from "./time-range.js";

const dayMs = 86_400_000;
const captured = { first: Date.UTC(2024, 4, 7, 11), last: Date.UTC(2026, 2, 20, 9) };
const engine = (readsTimes: boolean): SearchSnapshot =>
  ({ readsTimes, captured: () => captured }) as Partial<SearchSnapshot> as SearchSnapshot;

const has = (match: TermMatch, own: readonly string[]): boolean =>
  typeof match === "string" ? own.includes(match) : "any" in match && match.any.some((each) => has(each, own));

// Often a day's beginning or end.
const time = fc.oneof(
  fc.integer({ min: captured.first - 3 * dayMs, max: captured.last + 3 * dayMs }),
  fc.integer({ min: -3, max: 700 }).map((day) => (Math.floor(captured.first / dayMs) + day) * dayMs),
);

it.each([true, false])("parts of a range mean what is in it, each context once (an engine that reads times: %s)", async (readsTimes) => {
  const range = fc.record({ since: fc.option(time, { nil: undefined }), until: fc.option(time, { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(range, time, async ({ since, until }, at) => {
      fc.pre(at >= captured.first && at <= captured.last);
      const parts = await partsOfRange(engine(readsTimes), { since, until });
      const meant = parts.filter(
        ({ terms, filter }) =>
          terms.every((match) => has(match, timeTerms(at))) && at >= (filter?.since ?? -Infinity) && at < (filter?.until ?? Infinity),
      );
      expect(meant).toHaveLength(at >= (since ?? -Infinity) && at < (until ?? Infinity) ? 1 : 0);
    }),
    { numRuns: 1000 },
  );
});

it("only days that are cut are compared with the times, and few terms stand for many days", async () => {
  const since = Date.UTC(2024, 8, 1, 5);
  const parts = await partsOfRange(engine(false), { since });
  expect(parts.map(({ terms, filter }) => ({ terms: JSON.stringify(terms).split(",").length, filter }))).toEqual([
    { terms: expect.any(Number), filter: undefined },
    { terms: 1, filter: { since, until: undefined } },
  ]);
  // One and a half years.
  expect(JSON.stringify(parts[0]?.terms).split(",").length).toBeLessThan(70);
  expect(await partsOfRange(engine(true), { since })).toEqual([{ terms: [], filter: { since, until: undefined } }]);
});
