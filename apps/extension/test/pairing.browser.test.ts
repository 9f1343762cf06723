import { accessibilityProblems } from "@periscope/harness/accessibility";
import { owner, startPortal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { type ExtensionBrowser, startExtensionBrowser } from "../build/browser.ts";
import { has } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";

test("connects once the person approves it in the portal, and can be asked again", async () => {
  await using server = await startPortal();
  await using site = await startSite({ "/keeper": keeper });
  await using chromium = await startExtensionBrowser();
  const { origin } = server;
  const portal = await chromium.browser.newPage();
  await portal.goto(server.setupUrl);
  await portal.bringToFront();
  for (const [name, text] of Object.entries(owner)) await portal.locator(`[name=${name}]`).fill(text);
  await portal.locator("[type=submit]").click();
  await portal.waitForSelector("[data-key]");

  const welcome = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("welcome.html"))).asPage();
  await welcome.bringToFront();
  await welcome.locator("#agree").click();
  await welcome.waitForSelector("#step-connect:not([hidden])");
  await welcome.$eval("#address", (input, address) => ((input as HTMLInputElement).value = address), origin);
  await welcome.locator("#save").click();
  const declined = await pairingTab(chromium, origin);
  await declined.close();
  await has(welcome, "connection", "was closed before");

  await welcome.bringToFront();
  await welcome.locator("#save").click();
  const pairing = await pairingTab(chromium, origin);
  await pairing.waitForSelector("[name=delete]");
  expect(await accessibilityProblems(pairing)).toEqual([]);
  await pairing.locator("[name=delete]").click();
  await pairing.locator("[type=submit]").click();
  await welcome.waitForSelector("#step-ready:not([hidden])");
  expect(pairing.isClosed()).toBe(true);
  const page = await chromium.browser.newPage();
  await page.goto(`${site.url}/keeper`);
  await welcome.bringToFront();
  await has(welcome, "first-title", "The keeper of the lighthouse");
});

async function pairingTab(chromium: ExtensionBrowser, origin: string): Promise<Page> {
  const target = await chromium.browser.waitForTarget((each) => each.url().startsWith(`${origin}/pair?`));
  return await target.asPage();
}
