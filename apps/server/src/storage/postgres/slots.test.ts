import { expect, it } from "vitest";
import { Slots } from "./slots.js";

it("runs a few at once, lets a user in who has none under way, and refuses past what may wait", async () => {
  const slots = new Slots(2, 4);
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
  await slots.run("again", async () => void order.push("again"));
  expect(order.at(-1)).toBe("again");
});

it("gives its room back when the work fails", async () => {
  const slots = new Slots(1, 1);
  for (let round = 0; round < 3; round++) await expect(slots.run("ada", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
