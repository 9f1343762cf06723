import { expect, it } from "vitest";
import type { Answer } from "./test-client.js";
import { TestServer } from "./test-server.js";

const limit = 40;

it("servers whose clocks differ by minutes count one budget, and tell its end alike", async () => {
  const rateLimits = { sync: limit, batchSync: limit, read: limit, search: limit, delete: limit, anonymous: limit };
  await using behind = await TestServer.start({ rateLimits });
  await using ahead = await TestServer.start({ rateLimits, databaseUrl: behind.config.databaseUrl });
  behind.clock.aheadMs = -150_000;
  ahead.clock.aheadMs = 150_000;
  // By the database's clock, which is this machine's: once more, for another user, when a minute came to its end meanwhile.
  const endOfMinute = () => Math.ceil((Date.now() + 1) / 60_000) * 60;
  let answers: Answer[] = [];
  let end: number;
  do {
    end = endOfMinute();
    const client = await behind.client();
    const clients = [client, client.at(() => ahead.baseUrl)];
    answers = [];
    for (let count = 0; count < 3 * limit; count++) answers.push(await clients[count % 2]!.get("/context/history"));
  } while (endOfMinute() !== end);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
  expect(new Set(answers.map(({ headers }) => Number(headers.get("x-ratelimit-reset"))))).toEqual(new Set([end]));
  const waits = answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get("retry-after")));
  expect(Math.min(...waits)).toBeGreaterThan(0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(60);
});
