import { expect, test } from "vitest";
import { noCounts, sumCounts } from "./refilter-context.js";

test("sums counts name by name without changing either", () => {
  const a = { ...noCounts(), checked: 2, redactions: { email: 1 }, raised: { public: { filtered: 1 } } };
  const b = { ...noCounts(), checked: 3, redactions: { email: 2, ip: 1 }, raised: { public: { restricted: 1 }, private: { filtered: 4 } } };
  const before = structuredClone([a, b]);
  expect(sumCounts(a, b)).toEqual({
    ...noCounts(),
    checked: 5,
    redactions: { email: 3, ip: 1 },
    raised: { public: { filtered: 1, restricted: 1 }, private: { filtered: 4 } },
  });
  expect([a, b]).toEqual(before);
});
