import { expect, test } from "vitest";
import { compareByTurns } from "./turns.ts";

test("the sides take turns after a warm-up round, and another begins each round", async () => {
  const calls: string[] = [];
  const side = (name: string, work: number) => () => {
    calls.push(name);
    return "x".repeat(work).split("").toReversed().join("");
  };
  const sides = { filter: side("filter", 20_000), copy: side("copy", 10), textbook: side("textbook", 10_000) };
  const { speeds, rounds } = await compareByTurns({
    sides,
    bytes: 1_000,
    rounds: 3,
    seconds: 0.000_001,
    signal: new AbortController().signal,
  });
  expect(calls.join(" ")).toBe("filter copy textbook filter copy textbook copy textbook filter textbook filter copy");
  expect(rounds).toHaveLength(3);
  expect(speeds.filter.wall).toBeGreaterThan(0);
});

test("a stopped run ends with the reason", async () => {
  const sides = { filter: () => "x", copy: () => "x", textbook: () => "x" };
  const signal = AbortSignal.abort(new Error("Stopped by SIGINT."));
  await expect(compareByTurns({ sides, bytes: 1, rounds: 1, seconds: 1, signal })).rejects.toThrow("Stopped by SIGINT.");
});
