import { expect, it } from "vitest";
import { SearchSlots } from "./search.js";

it("runs a few searches at once, and a user with none running goes first", async () => {
  const slots = new SearchSlots(2, 4);
  const order: string[] = [];
  const ends: Array<() => void> = [];
  const search = (userId: string) =>
    slots.run(userId, async () => {
      order.push(userId);
      await new Promise<void>((end) => ends.push(end));
    });
  const done = ["ada", "ada", "ada", "ada", "ada", "grace"].map(search);
  await expect(search("late")).rejects.toMatchObject({ code: "unavailable" });
  expect(order).toEqual(["ada", "ada"]);
  for (let ended = 0; ended < done.length; ended++) {
    ends.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(done);
  expect(order).toEqual(["ada", "ada", "grace", "ada", "ada", "ada"]);
});

it("frees the slot of a search that fails", async () => {
  const slots = new SearchSlots(1, 1);
  for (let round = 0; round < 3; round++) await expect(slots.run("ada", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
