import { expect } from "vitest";
import { dayOf as at, fillDays as fill, idsOf } from "./day-contexts.js";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

it("applies own rules and the operator's default and maximum at the start", async ({ server, client }) => {
  const [plain, ruled] = [await server.client(), client];
  await fill(plain);
  await fill(ruled);
  const rules = [
    { keepDays: 20 },
    { keepDays: 5, site: "https://NEWS.example/story/" },
    { keepDays: 9, privacyLevel: "filtered", type: "page" },
  ];
  expect((await ruled.put("/data/retention", { rules: [{ keepDays: 0 }] })).status).toBe(400);
  expect((await ruled.put("/data/retention", { rules: [{ keepDays: 1, site: "?" }] })).status).toBe(400);
  rules[1]!.site = "news.example/story";
  const stored = await ruled.put("/data/retention", { rules });
  expect([stored.status, stored.body.rules]).toEqual([200, rules]);
  expect((await plain.get("/data/retention")).body).toEqual({ rules: [], updatedAt: null, defaultDays: null, maxDays: null });

  server.config.retention = { defaultDays: 25, maxDays: 28 };
  server.clock.now = Date.parse(at(31)) + 1;
  await server.restart();
  const fresh = createMessage({ context: { id: "fresh" } });
  expect((await ruled.sync(fresh)).status).toBe(201);
  const expected = (keeps: (number: number, age: number) => boolean) =>
    Array.from({ length: 30 }, (_, number) => number)
      .filter((number) => keeps(number, 31 - (1 + number)))
      .map((number) => `c${number}`);
  const left = expected((number, age) => age < (number % 3 === 0 ? 5 : number % 2 === 0 ? 9 : 20) || (number % 3 === 0 && age < 5));
  await expect.poll(async () => (await idsOf(ruled)).toSorted()).toEqual([...left, "fresh"].toSorted());
  await expect.poll(async () => (await idsOf(plain)).toSorted()).toEqual(expected((_, age) => age < 25).toSorted());
  expect((await plain.get("/data/retention")).body).toMatchObject({ defaultDays: 25, maxDays: 28 });
});
