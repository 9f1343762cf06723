import { expect, it, onTestFinished, vi } from "vitest";
import { PerUserQueue } from "./per-user-queue.js";

it("lets 64 writers of a user wait, refuses more at once, and serves other users", async () => {
  const queue = new PerUserQueue();
  const first = Promise.withResolvers<void>();
  let served = 0;
  const taken = Array.from({ length: 65 }, () => queue.run("ada", () => first.promise.then(() => ++served)));
  for (let more = 0; more < 4; more++)
    await expect(queue.run("ada", async () => expect.unreachable())).rejects.toMatchObject({ code: "unavailable" });
  expect(await queue.run("grace", async () => "served")).toBe("served");
  expect(served).toBe(0);
  first.resolve();
  expect(await Promise.all(taken)).toEqual(Array.from({ length: 65 }, (_, index) => index + 1));
  await queue.idle();
});

it("runs writers in the order of arrival, and refuses one that waited too long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const queue = new PerUserQueue();
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = queue.run("ada", async () => {
    await first.promise;
    throw new Error("no");
  });
  const late = queue.run("ada", async () => void order.push("late"));
  vi.advanceTimersByTime(30_000);
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  const next = ["second", "third"].map((name) => queue.run("ada", async () => void order.push(name)));
  first.resolve();
  await expect(failing).rejects.toThrow("no");
  await queue.idle();
  await Promise.all(next);
  expect(order).toEqual(["second", "third"]);
});
