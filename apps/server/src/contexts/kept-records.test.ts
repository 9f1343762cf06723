import { expect, vi } from "vitest";
import { configMessage, createMessage, deleteMessage, errorMessage } from "../../test/messages.js";
import { TestServer, withOwnServer as it } from "../../test/test-server.js";

it("extension errors are kept up to the newest 1,000 of a user", async ({ server }) => {
  const [client, other] = [await server.client(), await server.client()];
  await other.sync(errorMessage("other"));
  const codes = Array.from({ length: 1050 }, (_, index) => `E${index}`);
  for (let start = 0; start < codes.length; start += 100) {
    const { body } = await client.batch(codes.slice(start, start + 100).map((code) => errorMessage(code)));
    expect(body.failed).toBe(0);
  }
  const kept = await server.rows<{ code: string }>(`SELECT code FROM extension_errors WHERE "userId" = ? ORDER BY seq`, client.userId);
  expect(kept.map(({ code }) => code)).toEqual(codes.slice(-1000));
  expect(await server.rows(`SELECT code FROM extension_errors WHERE "userId" = ?`, other.userId)).toEqual([{ code: "other" }]);
});

it("settings of an extension are those of the newest message of each instance", async ({ server, client }) => {
  const laptop = [configMessage("first", 1, { theme: "light" }), configMessage("newest", 3, { theme: "dark" })];
  const others = [configMessage("late", 2, { theme: "late" }), configMessage("phone", 1, { theme: "phone" }, "phone")];
  for (const message of [...laptop, ...others]) expect((await client.sync(message)).status).toBe(201);
  const read = `SELECT config FROM extensions WHERE "userId" = ? ORDER BY "extensionId"`;
  const kept = await server.rows<{ config: string }>(read, client.userId);
  expect(kept.map(({ config }) => JSON.parse(config))).toEqual([{ theme: "dark" }, { theme: "phone" }]);
});

it("replay records and tombstones are dropped after 7 days, and not before", async () => {
  const [hour, day] = [3_600_000, 86_400_000];
  const start = Date.UTC(2026, 1, 1);
  await using server = await TestServer.start();
  server.clock.now = start;
  const client = await server.client();
  const [early, late] = [createMessage({ context: { id: "early" } }), createMessage({ context: { id: "late" } })];
  await client.batch([early, deleteMessage("early-gone")]);
  server.clock.now = start + 2 * hour;
  await client.batch([late, deleteMessage("late-gone")]);

  server.clock.now = start + 7 * day + 2 * hour;
  await server.restart();
  const count = async (table: string) => (await server.rows(`SELECT * FROM ${table}`)).length;
  await vi.waitFor(async () => expect([await count("processed_messages"), await count("tombstones")]).toEqual([2, 1]), 60_000);
  expect((await client.sync(early)).body.duplicate).toBeUndefined();
  expect((await client.sync(late)).body.duplicate).toBe(true);
  await client.batch([createMessage({ context: { id: "early-gone" } }), createMessage({ context: { id: "late-gone" } })]);
  expect((await client.get("/context/early-gone")).status).toBe(200);
  expect((await client.get("/context/late-gone")).status).toBe(404);
});
