import { expect, test } from "vitest";
import { resultTable } from "../service/report.ts";
import { measure, sampleOf, type Sample } from "./rounds.ts";
import { median, percentile } from "./stats.ts";

test("median and nearest-rank percentiles", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
  const values = Float64Array.from({ length: 200 }, (_, index) => 200 - index);
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([100, 198, 200]);
  expect(sampleOf({ requests: 4, seconds: 2, latencies: Float64Array.of(1, 2, 3, 4), statuses: {} }, 100)).toEqual({
    perSecond: 200,
    p50: 2,
    p99: 4,
  });
});

test("server and floor take turns after a warm-up, and the ratio is the median of the rounds' ratios", async () => {
  const calls: string[] = [];
  const side =
    (name: string, rates: number[]) =>
    async (seconds: number): Promise<Sample> => {
      calls.push(`${name} ${seconds}`);
      return { perSecond: rates.shift() ?? 0, p50: 1, p99: 2 };
    };
  const scenario = {
    name: "current",
    unit: "requests/s" as const,
    aim: 0.5,
    server: side("server", [9, 10, 30, 80]),
    floor: side("floor", [9, 20, 100, 100]),
  };
  const result = await measure(scenario, { rounds: 3, seconds: 2 });
  expect(calls).toEqual(["floor 1", "server 1", "server 2", "floor 2", "floor 2", "server 2", "server 2", "floor 2"]);
  expect(result).toMatchObject({ ratio: 0.5, server: { perSecond: 30 }, floor: { perSecond: 100 } });
  expect(resultTable([result]).split("\n")[2]).toMatch(/^current +requests\/s +30 +100 +0\.50 +0\.5 met +1\.00 +2\.00/);
});
