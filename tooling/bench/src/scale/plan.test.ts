import { expect, test } from "vitest";
import { Plan } from "./plan.ts";

test("half is the heavy user's, a light user of each size has 1,000 spread over it, and the rest is spread over the others", () => {
  const plan = new Plan([10_000, 100_000]);
  const share = (size: number, user: "heavy" | "light-0" | "light-1") => plan.batchesBy(user, plan.batchesOf(size)).length * plan.batchSize;
  expect([share(10_000, "heavy"), share(10_000, "light-0")]).toEqual([5_000, 1_000]);
  expect([share(100_000, "heavy"), share(100_000, "light-1")]).toEqual([50_000, 1_000]);
  const places = plan.batchesBy("light-1", plan.batchesOf(100_000));
  expect(places[0]).toBeLessThan(100);
  expect(places.at(-1)).toBeGreaterThan(900);
  expect(plan.usersIn(plan.batchesOf(100_000)).length).toBeGreaterThan(190);
});

test("light users of every size have the same documents, and no other two batches share one", () => {
  const plan = new Plan([500, 5_000]);
  const documentsOf = (user: "light-0" | "light-1") =>
    plan.batchesBy(user, plan.batchesOf(5_000)).map((batch) => plan.batch(batch).document);
  expect(documentsOf("light-0")).toEqual(documentsOf("light-1"));
  const all = Array.from({ length: plan.batchesOf(5_000) }, (_, batch) => plan.batch(batch).document);
  expect(new Set(all).size).toBe(all.length - documentsOf("light-1").length);
});

test("sizes that are no whole batches are refused", () => {
  expect(() => new Plan([10_000, 10_050])).toThrow("multiples of 100");
});
