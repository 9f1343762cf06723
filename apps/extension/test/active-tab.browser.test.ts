import { hangMs } from "@periscope/harness/chromium";
import { startServer } from "@periscope/harness/server";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { type Chromium, startChromium } from "../build/chromium.ts";
import { connect } from "./connected.ts";
import { keeper, startSite } from "./local-site.ts";

// What an outcome is shown for takes seconds.
const patience = { timeout: hangMs };

/** Has the worker note what its badge shows from now on: an outcome is there for three seconds, in which nobody may look. */
async function watchBadge(chromium: Chromium): Promise<void> {
  await (
    await chromium.worker()
  ).evaluate(() => {
    const shown: string[] = [];
    const show = chrome.action.setBadgeText.bind(chrome.action);
    const noting = async (details: chrome.action.BadgeTextDetails) => {
      const isOfAllTabs = details.tabId === undefined;
      if (isOfAllTabs && details.text !== (shown.at(-1) ?? "")) shown.push(details.text ?? "");
      await show(details);
    };
    Object.assign(chrome.action, { setBadgeText: noting });
    Object.assign(globalThis, { shown });
  });
}

/** Texts of the badge since it was watched, each once for as long as it stood. */
const shown = async (chromium: Chromium) =>
  await (await chromium.worker()).evaluate(() => (globalThis as unknown as { shown: string[] }).shown);

/** Presses a key of the extension, or chooses an entry of its menu, in the tab in front: neither can be done without a screen, so that its event is made here. */
async function choose(chromium: Chromium, event: "command" | "menu"): Promise<void> {
  await (
    await chromium.worker()
  ).evaluate(async (event) => {
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const of = (event: unknown) => event as { dispatch(...given: unknown[]): void };
    if (event === "command") of(chrome.commands.onCommand).dispatch("record-selection", tab);
    else of(chrome.contextMenus.onClicked).dispatch({ menuItemId: "selection" }, tab);
  }, event);
}

const select = (page: Page, selector: string) => page.$eval(selector, (element) => globalThis.getSelection()?.selectAllChildren(element));

test("records only a requested selection on a site without access", async () => {
  await using server = await startServer();
  await using site = await startSite({ "/keeper": keeper, "/more": keeper });
  // The server alone.
  await using chromium = await startChromium({ granted: ["http://127.0.0.1/*"] });
  await connect(chromium, server);
  const history = async () => {
    const response = await fetch(`${server.baseUrl}/context/history`, { headers: { Authorization: `Bearer ${server.key}` } });
    return ((await response.json()) as { contexts: { type: string; url: string }[] }).contexts.map(({ type, url }) => `${type} ${url}`);
  };
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  await select(page, "h1");

  // Nobody asked the browser for anything: the extension cannot get into the page.
  await watchBadge(chromium);
  await choose(chromium, "command");
  await expect.poll(() => shown(chromium), patience).toEqual(["–", ""]);

  await chromium.pressButton(page);
  await choose(chromium, "command");
  await expect.poll(() => shown(chromium), patience).toEqual(["–", "", "✓", ""]);
  await select(page, "p");
  await choose(chromium, "menu");
  await expect.poll(() => shown(chromium), patience).toEqual(["–", "", "✓", "", "✓", ""]);
  await expect.poll(history, patience).toEqual([`selection ${site.url}/keeper`, `selection ${site.url}/keeper`]);
});
