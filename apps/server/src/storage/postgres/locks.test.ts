import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { advisoryLocks } from "./locks.js";

it("has another number for each advisory lock", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it("has all of them: no other file gives a number to a lock", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const takers = files
    .filter((file) => !file.startsWith("locks."))
    .map((file) => [file, readFileSync(`${import.meta.dirname}/${file}`, "utf8")]);
  const calls = takers.flatMap(([file, text]) =>
    [...(text ?? "").matchAll(/(?:advisory\w*_(?:lock|unlock)\w*|\$\{lock\})\(([^)]*)/g)].map(([, lock]) => `${file}: ${lock}`),
  );
  expect(calls.length).toBeGreaterThan(4);
  expect(calls.filter((call) => !call.includes("${advisoryLocks."))).toEqual([]);
});
