import { startServer } from "@periscope/harness/server";
import { expect, test } from "vitest";
import { startExtensionBrowser } from "../build/browser.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";

test("tells the server its version and queue under an id that stays the same", async () => {
  await using server = await startServer();
  await using chromium = await startExtensionBrowser();
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: server.baseUrl, account: "ada" };
  const welcome = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("welcome.html"))).asPage();
  const told = async () => {
    const response = await fetch(`${server.baseUrl}/data/export`, { headers: { Authorization: `Bearer ${server.key}` } });
    const lines = (await response.text()).trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => "config" in line);
  };
  await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key: server.key });
  const { version } = await welcome.evaluate(() => chrome.runtime.getManifest());
  const config = { version, waitingMessages: 0, refusedMessages: 0 };
  await expect
    .poll(told, { timeout: 60_000 })
    .toEqual([expect.objectContaining({ extensionId: expect.stringMatching(/^chrome-[\da-f]{8}$/), config })]);
  const { installation } = await welcome.evaluate(async () => await chrome.storage.local.get("installation"));
  expect((await told())[0]?.["extensionId"]).toBe(installation);
});
