import { hangMs } from "@periscope/harness/chromium";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { accessibilityProblems, controls, tabOrder } from "@periscope/harness/accessibility";
import { ask } from "./ask-server.ts";
import { has, textOf } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";

const patience = { timeout: hangMs };

// Pages of the extension are asked: its worker may have ended meanwhile.
const registered = async (page: Page) => await page.evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).length);

const stored = async (page: Page) =>
  await page.evaluate(async () => JSON.stringify((await chrome.storage.local.get("settings"))["settings"]));

/** Presses what has the focus, after moving the focus there with Tab alone. */
async function pressByKeyboard(page: Page, id: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return await page.keyboard.press("Space");
  }
  throw new Error(`Tab does not reach ${id}.`);
}

/** Every visible control is reached by Tab, and axe finds nothing. */
async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  // From the top.
  await page.reload();
  await page.waitForSelector("[data-ready]");
  expect((await tabOrder(page)).toSorted()).toEqual((await controls(page)).toSorted());
}

test("leads from consent to the first stored page, and ends on withdrawal", async () => {
  await using data = await temporaryDirectory("periscope-extension-");
  await using server = await startServer({ dataDir: data.path });
  await using site = await startSite({ "/keeper": keeper });
  await using chromium = await startChromium();

  // Before consent nothing is in pages.
  const welcome = await chromium.openedPage("/welcome.html");
  await welcome.waitForSelector("[data-ready]");
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  expect(await registered(welcome)).toBe(0);
  await welcome.bringToFront();
  await expectAccessible(welcome);
  await pressByKeyboard(welcome, "agree");

  // Each failure has words of its own, and saves nothing.
  await welcome.waitForSelector("#step-connect:not([hidden])");
  await expectAccessible(welcome);
  await welcome.$eval("#address", (input, address) => ((input as HTMLInputElement).value = address), `${site.url}/`);
  await welcome.locator("#save").click();
  await has(welcome, "connection", "not Periscope");
  await welcome.locator("#own-key summary").click();
  await welcome.type("#key", server.key);
  await welcome.$eval("#connection", (said) => (said.textContent = ""));
  await welcome.locator("#save").click();
  await has(welcome, "connection", "not Periscope");
  for (const id of ["address", "key"]) await welcome.$eval(`#${id}`, (input) => ((input as HTMLInputElement).value = ""));
  await welcome.type("#address", server.baseUrl.replace("/api/v1", ""));
  await welcome.type("#key", '"psk_1"');
  await welcome.locator("#save").click();
  await has(welcome, "connection", "no blanks, double quotes");
  await welcome.$eval("#key", (input) => ((input as HTMLInputElement).value = ""));
  await welcome.type("#key", "psk_wrong");
  await welcome.locator("#save").click();
  await has(welcome, "connection", "refuses this key");
  expect(await stored(welcome)).toContain('"server":""');
  await welcome.$eval("#key", (input) => ((input as HTMLInputElement).value = ""));
  await welcome.type("#key", server.key);
  await welcome.locator("#save").click();

  // The first page appears by itself.
  await welcome.waitForSelector("#step-ready:not([hidden])");
  expect(await welcome.content()).not.toContain(server.key);
  expect(await stored(welcome)).not.toContain(server.key);
  await expectAccessible(welcome);
  await has(welcome, "first-state", "once your server has stored it");
  await expect.poll(() => registered(welcome), patience).toBe(1);
  await page.bringToFront();
  await page.goto(`${site.url}/keeper`);
  await welcome.bringToFront();
  await has(welcome, "first-title", "The keeper of the lighthouse");
  expect(await textOf(welcome, "first-more")).toContain("Private");

  // The options say the same, and end it.
  const options = await chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  await options.type("#site", "https://*.diary.example/");
  await options.keyboard.press("Enter");
  await has(options, "sites", "diary.exampleBlocked");
  await options.select("#site-rule", "filtered");
  await options.type("#site", "example.org");
  await options.keyboard.press("Enter");
  await has(options, "sites", "example.orgFiltered");
  await expectAccessible(options);
  await options.locator("#sites button").click();
  await options.waitForFunction(() => !document.getElementById("sites")?.textContent?.includes("diary"));
  await options.locator("#withdraw").click();
  await has(options, "consent", "Pages that waited were deleted.");
  // The button that was pressed is gone.
  await options.waitForFunction(() => document.activeElement?.id === "read");
  expect(await stored(options)).toContain('"consent":null');
  await expect.poll(() => registered(options)).toBe(0);
  expect((await ask(server, "/context/history?type=page")).body.total).toBe(1);
});
