import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";
import { has, textOf } from "./extension-page.ts";

test("the welcome page says what to do when no site is named, and that a key cannot read", async () => {
  await using server = createServer((_, response) => {
    response.writeHead(403, { "Content-Type": "application/json" }).end('{"error":"forbidden","message":"The key lacks the scope read."}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using chromium = await startChromium();
  const welcome = await chromium.openedPage("/welcome.html");
  await welcome.bringToFront();
  const settings: Settings = {
    ...initialSettings,
    consent: { version: 1, at: 1 },
    account: "ada",
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
  };
  const set = (siteMode: Settings["siteMode"]) =>
    welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings: { ...settings, siteMode }, key: "psk_1" });

  await set("only");
  await welcome.waitForSelector("#step-ready:not([hidden])");
  expect(await textOf(welcome, "ready-lead")).toContain("there is none yet");
  expect(await textOf(welcome, "open-options")).toBe("Name your first site");
  expect(await welcome.$eval("#first", (first) => (first as HTMLElement).hidden)).toBe(true);
  expect(await accessibilityProblems(welcome)).toEqual([]);

  await set("all-but");
  await has(welcome, "ready-lead", "now records the pages you open");
  await has(welcome, "first-state", "The key cannot read");
});
