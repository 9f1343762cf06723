import { expect, test } from "vitest";
import { OwnWrites } from "./own-writes.js";

test("a user's writes need a position that the primary told after them", () => {
  const writes = new OwnWrites(100);
  expect([writes.isIn(99, "ada"), writes.isIn(100, "ada")]).toEqual([false, true]);
  writes.wrote("ada", 10);
  // Asked before the write had ended: it may be missing.
  writes.sample(150, 9);
  expect(writes.isIn(1_000, "ada")).toBe(false);
  writes.sample(200, 11);
  expect([writes.isIn(199, "ada"), writes.isIn(200, "ada"), writes.isIn(100, "grace")]).toEqual([false, true, true]);
  writes.wrote("ada", 12);
  expect(writes.isIn(1_000, "ada")).toBe(false);
});

test("what every replica has is forgotten, and needed of a replica that comes back", () => {
  const writes = new OwnWrites(100);
  writes.wrote("ada", 1);
  writes.sample(200, 2);
  writes.wrote("grace", 3);
  writes.sample(300, 4);
  writes.forget(250);
  expect([writes.isIn(199, "alan"), writes.isIn(200, "alan"), writes.isIn(299, "grace")]).toEqual([false, true, false]);
  writes.forget(300);
  expect(writes.isIn(299, "alan")).toBe(false);
});

test("past ten thousand users the oldest write is needed for everybody", () => {
  const writes = new OwnWrites(100);
  for (let user = 0; user <= 10_000; user++) writes.wrote(`user-${user}`, user);
  // Nobody knows yet where the first is.
  expect(writes.isIn(1_000_000, "somebody")).toBe(false);
  writes.sample(200, 20_000);
  expect([writes.isIn(199, "somebody"), writes.isIn(200, "somebody")]).toEqual([false, true]);
});
