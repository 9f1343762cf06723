import { expect, it } from "vitest";
import { createMessage } from "../../test/messages.js";
import { TestServer } from "../../test/test-server.js";
import { openStorage } from "./open-storage.js";

it("answers a known total as it is, and counts without one", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.batch([createMessage(), createMessage(), createMessage()]);
  await using storage = await openStorage({ databaseUrl: server.config.databaseUrl, searchTimeoutMs: 1000 });
  const scope = { userId: client.userId, maxPrivacyLevel: "restricted" } as const;
  const page = (knownTotal?: number) => storage.contexts.history(scope, { limit: 2, offset: 0, knownTotal });
  const counted = await page();
  expect(counted.total).toBe(3);
  expect(await page(7)).toEqual({ ...counted, total: 7 });
  expect((await page(0)).total).toBe(0);
});
