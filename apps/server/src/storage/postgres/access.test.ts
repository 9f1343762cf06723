import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AccessChanges } from "./access.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Pool = ConstructorParameters<typeof AccessChanges>[0];

/** A database that answers after some time with the count that it had when it was asked; never, when that is infinite. */
function databaseOf(answerMs: number) {
  const database = { count: 1, fails: false, asked: 0 };
  const query = async () => {
    const { count, fails } = database;
    database.asked++;
    await new Promise((resolve) => answerMs < Infinity && setTimeout(resolve, answerMs));
    if (fails) throw new Error("no answer");
    return { rows: [{ count: String(count) }] };
  };
  return { database, changes: new AccessChanges({ query } as unknown as Pool) };
}

/** Asks every few milliseconds, as requests do, for so long; the last answer. */
async function ask(changes: AccessChanges, forMs: number): Promise<number> {
  let told = changes.revision();
  for (let ms = 0; ms < forMs; ms += 25) {
    await vi.advanceTimersByTimeAsync(25);
    told = changes.revision();
  }
  return told;
}

it.each([0, 400, 2_900, 6_000, Infinity])("reports a change within 5 seconds when the database answers after %s ms", async (answerMs) => {
  for (let changedAt = 5_000; changedAt < 9_000; changedAt += 325) {
    const { database, changes } = databaseOf(answerMs);
    const before = await ask(changes, changedAt);
    database.count++;
    expect(await ask(changes, 4_975)).not.toBe(before);
  }
});

it("reports a change within 5 seconds when the database fails from then on", async () => {
  const { database, changes } = databaseOf(10);
  const before = await ask(changes, 5_000);
  Object.assign(database, { count: 2, fails: true });
  expect(await ask(changes, 4_975)).not.toBe(before);
});

it("reports a change of a quiet time with the first question after it", async () => {
  const { database, changes } = databaseOf(10);
  const before = await ask(changes, 5_000);
  database.count++;
  await vi.advanceTimersByTimeAsync(4_975);
  expect(changes.revision()).not.toBe(before);
});

it("asks the database once a second and reports nothing while nothing changes", async () => {
  const { database, changes } = databaseOf(10);
  const before = await ask(changes, 1_000);
  const { asked } = database;
  expect(await ask(changes, 60_000)).toBe(before);
  expect(database.asked - asked).toBeLessThanOrEqual(60);
});
