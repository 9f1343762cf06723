import { startServer } from "@periscope/demo/start-server";
import { temporaryDirectory } from "@periscope/demo/temporary-directory";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { type ExtensionBrowser, startExtensionBrowser } from "../build/browser.ts";
import type { Settings } from "../src/settings/settings.js";
import { accessibilityProblems, controls, tabOrder } from "./accessibility.ts";
import { ask } from "./ask-server.ts";
import { keeper, startSite } from "./local-site.ts";
import { openPopup } from "./popup.ts";

const textOf = (page: Page, id: string) => page.$eval(`#${id}`, (element) => element.textContent);
const has = (page: Page, id: string, part: string) =>
  page.waitForFunction((id, part) => document.getElementById(id)?.textContent?.includes(part), {}, id, part);

const registered = async (chromium: ExtensionBrowser) =>
  await (await chromium.worker()).evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).length);

const stored = async (chromium: ExtensionBrowser) =>
  await (await chromium.worker()).evaluate(async () => (await chrome.storage.local.get("settings"))["settings"] as Settings);

/** Presses what has the focus, after moving the focus there with Tab alone. */
async function pressByKeyboard(page: Page, id: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.id)) === id) return await page.keyboard.press("Space");
  }
  throw new Error(`Tab does not reach ${id}.`);
}

test("from consent to a recorded page, its preview, a pause and forgetting, by keyboard and without a fault in accessibility", async () => {
  await using data = await temporaryDirectory("periscope-extension-");
  await using server = await startServer({ dataDir: data.path });
  await using site = await startSite({ "/keeper": keeper, "/more": keeper });
  await using chromium = await startExtensionBrowser();

  // Before consent: nothing in pages, nothing on the server.
  const consent = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("consent.html"))).asPage();
  const page = await chromium.browser.newPage();
  await page.goto(`${site.url}/keeper`);
  expect(await registered(chromium)).toBe(0);
  await consent.bringToFront();
  expect(await accessibilityProblems(consent)).toEqual([]);
  await consent.reload();
  expect((await tabOrder(consent)).toSorted()).toEqual((await controls(consent)).toSorted());
  await consent.reload();
  await Promise.all([consent.waitForNavigation(), pressByKeyboard(consent, "agree")]);

  // Options: each failure in words of its own, then connected.
  const options = consent;
  await options.waitForSelector("[data-ready]");
  await options.type("#address", `${site.url}/`);
  await options.type("#key", server.key);
  await options.click("#save");
  await has(options, "connection", "it is not Periscope");
  const account = async () => (await stored(chromium)).account;
  const first = await account();
  await options.$eval("#address", (input) => ((input as HTMLInputElement).value = ""));
  await options.type("#address", server.baseUrl.replace("/api/v1", ""));
  await options.type("#key", "psk_wrong");
  await options.click("#save");
  await has(options, "connection", "refuses this key");
  await options.type("#key", server.key);
  await options.click("#save");
  await has(options, "connection", "Connected. This key may write, read, delete.");
  // The address was corrected: what waited goes there.
  expect(await account()).toBe(first);
  expect(await options.content()).not.toContain(server.key);
  expect(await options.$eval("#key", (input) => (input as HTMLInputElement).value)).toBe("");
  await options.type("#site", "https://*.diary.example/");
  await options.keyboard.press("Enter");
  await has(options, "sites", "diary.example");
  await options.click("#only");
  await has(options, "sites-empty", "No site is named");
  expect(await textOf(options, "sites")).toBe("");
  await options.click("#all-but");
  await has(options, "sites", "diary.example");
  await options.type("#level-site", "example.org");
  await options.keyboard.press("Enter");
  await has(options, "levels", "example.org: Filtered");
  expect(await accessibilityProblems(options)).toEqual([]);
  await options.reload();
  await options.waitForSelector("[data-ready]");
  expect((await tabOrder(options)).toSorted()).toEqual((await controls(options)).toSorted());

  // A visit becomes a context.
  expect(await registered(chromium)).toBe(1);
  await page.bringToFront();
  await page.goto(`${site.url}/keeper`);
  await expect.poll(async () => (await ask(server, "/context/history?type=page")).body.total, { timeout: 60_000 }).toBe(1);
  const { contexts } = (await ask(server, "/context/history?type=page")).body;
  const { body } = await ask(server, `/context/${contexts[0].contextId}`);
  expect(body).toMatchObject({ type: "page", url: `${site.url}/keeper`, title: "The keeper of the lighthouse", privacyLevel: "private" });
  expect(body.content).toContain("the ferries find home");
  expect(body.content).toContain("[REDACTED:card]");

  // The popup over that page.
  const popup = await openPopup(chromium);
  await has(popup, "state", "Recorded");
  await has(popup, "queue", "Nothing waits.");
  await popup.click("#preview summary");
  await popup.waitForSelector("#removed");
  expect(await textOf(popup, "removed")).toContain("card: 1");
  expect(await textOf(popup, "preview-shown")).not.toContain("4111");
  expect(await accessibilityProblems(popup)).toEqual([]);
  expect((await tabOrder(popup)).toSorted()).toEqual((await controls(popup)).toSorted());
  await popup.click("#pause");
  await has(popup, "state", "Paused until");
  await expect.poll(() => registered(chromium)).toBe(0);
  const badge = async () => await (await chromium.worker()).evaluate(async () => await chrome.action.getBadgeText({}));
  await expect.poll(badge).toBe("II");
  await popup.click("#pause");
  await has(popup, "state", "Recorded");
  await expect.poll(badge).toBe("");

  // Forgetting blocks the site, and deletes what the server has of it.
  await popup.click("#forget");
  await popup.click("#forget-yes");
  await has(popup, "forgotten", "localhost is blocked. Deleted:");
  await has(popup, "state", "you blocked localhost");
  await expect.poll(async () => (await ask(server, "/context/history")).body.total).toBe(0);
  await page.goto(`${site.url}/more`);
  await expect
    .poll(
      async () =>
        await (await chromium.worker()).evaluate(async () => (await chrome.scripting.getRegisteredContentScripts())[0]?.excludeMatches),
    )
    .toContain("*://*.localhost/*");
  await page.goto(`${site.url}/more`);
  // It stays open, as long as a page takes to be recorded: one that is opened after it is stored, and it is not.
  const allowed = `${site.url.replace("localhost", "127.0.0.1")}/keeper`;
  await (await chromium.browser.newPage()).goto(allowed);
  const urls = async () => (await ask(server, "/context/history?type=page")).body.contexts.map(({ url }: { url: string }) => url);
  await expect.poll(urls, { timeout: 60_000 }).toEqual([allowed]);
  expect((await ask(server, "/context/search?urlPattern=localhost")).body.results).toEqual([]);

  // Withdrawn, nothing is in pages any more.
  await options.bringToFront();
  await options.click("#withdraw");
  await has(options, "consent", "What waited to be sent was deleted.");
  expect(await stored(chromium)).toMatchObject({ consent: null });
  await expect.poll(() => registered(chromium)).toBe(0);
});
