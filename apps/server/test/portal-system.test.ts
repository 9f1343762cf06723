import { expect, test as plain } from "vitest";
import { readConfig } from "../src/config/config.js";
import { PortalClient } from "./portal-client.js";
import { createMessage } from "./messages.js";
import type { MetricsSummary } from "../src/metrics/metrics-summary.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

test("shows the owner how the server runs", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, { name: "Ada", email: "ada@example.org", password: "correct horse battery" });
  const { data } = await browser.query("system.overview");
  expect(data).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    findings: expect.arrayContaining([
      { isOk: true, what: expect.stringMatching(/^Node\.js \d/) },
      { isOk: true, what: "settings: all values are allowed" },
      { isOk: true, what: "privacy: minimum level public" },
      { isOk: true, what: expect.stringMatching(/^database: .* can be read and written$/) },
      { isOk: true, what: "migrations: up to date" },
      { isOk: true, what: "access: 1 user, 1 valid key" },
      { isOk: true, what: expect.stringMatching(/^clock: /) },
    ]),
    settings: [{ name: "PORT", value: "0", source: "flag" }],
  });
  expect(await new PortalClient(server).query("system.overview")).toMatchObject({ status: 401 });
});

test("finds what the operator has set wrongly", async () => {
  const typo = "PERISCOPE_DATADIR: unknown setting, ignored. Did you mean PERISCOPE_DATA_DIR?";
  await using server = await TestServer.start({ unknownSettings: [typo] });
  const { browser, userId } = await PortalClient.owner(server, {
    name: "Ada",
    email: "ada@example.org",
    password: "correct horse battery",
  });
  for (const { keyId } of await server.access.listKeys(userId)) await server.access.revokeKey(keyId);
  const { data } = await browser.query("system.overview");
  expect((data as { findings: Array<{ isOk: boolean }> }).findings.filter(({ isOk }) => !isOk)).toEqual([
    { isOk: false, what: `settings: ${typo}` },
    { isOk: false, what: "access: 1 user, 0 valid keys", advice: expect.stringContaining("periscope keys create") },
  ]);
});

test("shows the metrics that an operator looks at first", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, { name: "Ada", email: "ada@example.org", password: "correct horse battery" });
  const summary = async () => (await browser.query("system.metrics")).data as MetricsSummary & { startedAt: string };
  const before = await summary();
  await client.sync(createMessage());
  await client.get("/context/current");
  // A request counts once its connection has taken the answer.
  await expect.poll(async () => (await summary()).requests - before.requests).toBeGreaterThanOrEqual(3);
  const { durations, ...after } = await summary();
  const { startedAt } = (await browser.query("system.overview")).data as { startedAt: string };
  expect(after).toMatchObject({ startedAt, failed: 0, limited: 0, stored: before.stored + 1 });
  expect(after.inProgress).toBeGreaterThanOrEqual(1);
  expect(after.memoryBytes).toBeGreaterThan(10_000_000);
  expect(durations.at(-1)).toMatchObject({ seconds: null });
  expect(durations.map(({ count }) => count)).toEqual(durations.map(({ count }) => count).toSorted((one, other) => one - other));
});

plain("says where each setting came from, and shows no secret", () => {
  const { settings } = readConfig({ PORT: "4000", DATABASE_URL: "postgres://ada:hunter2@db.example/periscope" }, { host: "127.0.0.1" });
  expect(settings).toEqual(
    expect.arrayContaining([
      { name: "PORT", value: "4000", source: "environment" },
      { name: "HOST", value: "127.0.0.1", source: "flag" },
      { name: "SIGN_UP", value: "closed", source: "default" },
    ]),
  );
  expect(JSON.stringify(settings)).not.toContain("hunter2");
});
