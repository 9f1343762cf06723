import { hangMs } from "@periscope/harness/chromium";
import { startServer } from "@periscope/harness/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "puppeteer-core";
import { type Chromium, startChromium } from "../build/chromium.ts";
import type { Settings } from "../src/settings/settings.js";
import { accessibilityProblems, controls, tabOrder } from "@periscope/harness/accessibility";
import { ask } from "./ask-server.ts";
import { connect, registeredScripts, type Stage, startStage } from "./connected.ts";
import { has, textOf } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";
import { openPopup } from "./popup.ts";

const patience = { timeout: hangMs };

/** What the button shows over the tab in front. */
const button = async (chromium: Chromium) =>
  await (
    await chromium.worker()
  ).evaluate(async () => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const where = tab?.id === undefined ? {} : { tabId: tab.id };
    const { action } = chrome;
    return {
      text: await action.getBadgeText(where),
      title: await action.getTitle(where),
      color: await action.getBadgeBackgroundColor(where),
    };
  });

const badge = async (chromium: Chromium) => (await button(chromium)).text;

let stage: Stage;
let openBefore: Page;
beforeAll(async () => {
  const oil = "<title>Oil</title><p>Two litres of it.</p>";
  stage = await startStage({ "/keeper": keeper, "/oil": oil, "/level": keeper, "/more": keeper, "/login": keeper });
  openBefore = await stage.chromium.newPage();
  await openBefore.goto(`${stage.site.url}/keeper`);
  await connect(stage.chromium, stage.server);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

test("says what happened to the page, and records, previews, searches and deletes", async () => {
  const { server, site, chromium } = stage;
  const page = openBefore;
  // A page that was open before is not stored, until a person asks for it.
  await page.bringToFront();
  const popup = await openPopup(chromium);
  expect(await popup.evaluate(() => document.documentElement.clientWidth)).toBe(360);
  await has(popup, "state", "Not stored");
  await has(popup, "fact-more", "open before recording began");
  await popup.locator("#record").click();
  await has(popup, "state", "Stored");
  await has(popup, "fact-more", "Private");
  await has(popup, "pages", "The keeper of the lighthouse");
  await has(popup, "queue", `All sent to ${new URL(server.baseUrl).host}`);

  await popup.locator("#preview").click();
  await popup.waitForSelector("#preview-shown[data-ready]");
  expect(await textOf(popup, "removed")).toContain("card: 1");
  expect(await textOf(popup, "preview-shown")).not.toContain("4111");
  expect(await accessibilityProblems(popup)).toEqual([]);
  expect((await tabOrder(popup)).toSorted()).toEqual((await controls(popup)).toSorted());

  await page.goto(`${site.url}/oil`);
  await has(popup, "page-title", "Oil");
  await has(popup, "state", "Stored");
  // A page is stored at once, and can be found by its text when that has arrived.
  const found = async () => (await ask(server, "/context/search?query=ferries")).body.total;
  await expect.poll(found).toBe(1);
  await popup.type("#search", "ferries");
  await popup.waitForSelector('#pages[data-query="ferries"]');
  expect(await textOf(popup, "pages")).toContain("The keeper");
  expect(await textOf(popup, "pages")).not.toContain("Oil");
  await popup.locator("#pages button").click();
  await has(popup, "pages", "Delete?");
  await popup.locator("#pages button").click();
  await has(popup, "recent-note", "No page matches.");
  const titles = async () => (await ask(server, "/context/history?type=page")).body.contexts.map(({ title }: { title: string }) => title);
  // Its visit is stored at once, its text when it has settled.
  await expect.poll(titles).toEqual(["Oil"]);

  // A search that fails shows nothing that another one has found.
  await popup.locator("#search").fill("litres");
  await has(popup, "pages", "Oil");
  await popup.setOfflineMode(true);
  await popup.locator("#search").fill("lamp");
  await popup.waitForSelector('#pages[data-query="lamp"][hidden]');
  await has(popup, "recent-note", "Nothing answers");

  // The page in front itself.
  await popup.setOfflineMode(false);
  await popup.locator("#search").fill("litres");
  await has(popup, "pages", "Oil");
  await popup.locator("#pages button").click();
  await has(popup, "pages", "Delete?");
  await popup.locator("#pages button").click();
  await has(popup, "state", "No longer stored");
  await popup.close();
});

test("sets a site's level, blocks it with its pages, and unblocks it", async () => {
  const { server, site, chromium } = stage;
  const page = await chromium.newPage();
  await page.goto(`${site.url}/level`);
  const popup = await openPopup(chromium);
  await has(popup, "state", "Stored");

  await popup.locator("label:has(#level-restricted)").click();
  await has(popup, "level-meaning", "only that you were on the site");
  await page.goto(`${site.url}/more`);
  await has(popup, "fact-more", "Restricted");

  await popup.locator("#pause").click();
  await has(popup, "state", "Paused until");
  await expect.poll(() => registeredScripts(chromium), patience).toEqual([]);
  await expect.poll(() => badge(chromium), patience).toBe("II");
  await popup.locator("#pause:not([aria-busy])").click();
  await expect.poll(() => badge(chromium), patience).toBe("");

  await popup.locator("#block").click();
  await popup.locator("#block-forget").click();
  await popup.locator("#block-yes").click();
  await has(popup, "site-outcome", "localhost is blocked. Deleted:");
  await has(popup, "state", "you blocked localhost");
  await expect.poll(() => button(chromium), patience).toMatchObject({ text: "⊘", title: "Periscope: localhost is blocked" });
  expect((await ask(server, "/context/history")).body.total).toBe(0);
  expect(await accessibilityProblems(popup)).toEqual([]);
  const excluded = async () => (await registeredScripts(chromium))[0]?.excludeMatches ?? [];
  await expect.poll(excluded, patience).toContain("*://*.localhost/*");
  await page.goto(`${site.url}/more`);
  // It stays open for as long as a page takes to be recorded: one that is opened after it is stored, and it is not.
  const other = await chromium.newPage();
  const allowed = `${site.url.replace("localhost", "127.0.0.1")}/keeper`;
  await other.goto(allowed);
  const urls = async () => (await ask(server, "/context/history?type=page")).body.contexts.map(({ url }: { url: string }) => url);
  await expect.poll(urls, patience).toEqual([allowed]);
  await expect.poll(() => badge(chromium), patience).toBe("");

  // It closed when the other page came to the front.
  await page.bringToFront();
  const again = await openPopup(chromium);
  await has(again, "block", "Unblock");
  expect(await again.$eval("#block", (button) => button.getAttribute("aria-expanded"))).toBeNull();
  await again.locator("#block").click();
  await again.waitForSelector("#level:not([hidden])");
  await expect.poll(() => button(chromium), patience).toMatchObject({ text: "", title: "Periscope: recording" });
  await page.goto(`${site.url}/level`);
  await has(again, "state", "Stored");
});

test("offers no lower level than a page of this kind has", async () => {
  const { site, chromium } = stage;
  const page = await chromium.newPage();
  await page.goto(`${site.url}/login`);
  const popup = await openPopup(chromium);
  await has(popup, "level-meaning", "no more of this kind of page (sign in, intranet)");
  const radios = await popup.$$eval("#level input", (found) => found.map(({ checked, disabled }) => ({ checked, disabled })));
  const lower = { checked: false, disabled: true };
  expect(radios).toEqual([lower, lower, lower, { checked: true, disabled: false }]);
  await popup.close();
});

test("blocks the site that was asked about, also when the page moves on to another meanwhile", async () => {
  const { site, chromium } = stage;
  const page = await chromium.newPage();
  await page.goto(`${site.url}/level`);
  const popup = await openPopup(chromium);
  await popup.locator("#block").click();
  await has(popup, "block-question", "localhost");
  await page.goto(`${site.url.replace("localhost", "127.0.0.1")}/keeper`);
  await has(popup, "site-title", "127.0.0.1");
  await popup.locator("#block-forget").click();
  await popup.locator("#block-yes").click();
  await has(popup, "site-outcome", "localhost is blocked. Deleted:");
  const { settings } = await (
    await chromium.worker()
  ).evaluate(async () => await chrome.storage.local.get<{ settings: Settings }>("settings"));
  expect(settings.sites).toEqual([{ site: "localhost", rule: "blocked" }]);
});

test("shows a waiting page, and missing access to the server", async () => {
  await using server = await startServer();
  await using site = await startSite({ "/keeper": keeper });
  // The site is granted, the server is not.
  await using chromium = await startChromium({ granted: ["http://localhost/*"] });
  await connect(chromium, server);
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  const popup = await openPopup(chromium);
  await has(popup, "state", "Waiting to be sent");
  await has(popup, "trouble", "No access to the server");
  await has(popup, "queue-remedy", "Allow");
  const red = [198, 42, 47, 255];
  await expect.poll(() => button(chromium), patience).toMatchObject({ text: "!", color: red });
  expect(await accessibilityProblems(popup)).toEqual([]);

  // With access, but nothing there.
  const here = server.baseUrl.replace("127.0.0.1", "localhost");
  await server.stop();
  await connect(chromium, { baseUrl: here, key: server.key });
  await page.bringToFront();
  await page.reload();
  const again = await openPopup(chromium);
  await has(again, "trouble", "The server cannot be reached");
  await has(again, "state", "Waiting to be sent");
  await has(again, "queue", "waiting");
});
