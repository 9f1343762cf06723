import { owner, type Portal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import type { Chromium } from "../build/chromium.ts";

/** What the walk needs: a server that waits for its owner, the extension just installed, and a page to read. */
export interface FirstMinutes {
  portal: Portal;
  chromium: Chromium;
  reading: { url: string; title: string };
  /** Called when there is something to see, before the next click. */
  onStep?: (name: string, page: Page) => Promise<void>;
}

/** All pages have one size, as one window has. */
const size = { width: 960, height: 680 };

/**
 * Goes from the address that the server prints to the own page that is found, as a person does. Resolves to the clicks: those on pages, and
 * those that change the tab. What is typed is none, nor are the browser's own windows, which load the extension and give it access.
 */
export async function walkFirstMinutes({ portal, chromium, reading, onStep = async () => {} }: FirstMinutes): Promise<number> {
  let clicks = 0;
  const click = async (page: Page, selector: string) => {
    await page.locator(selector).click();
    clicks += 1;
  };
  const see = async (page: Page) => {
    await page.setViewport(size);
    await page.bringToFront();
  };

  // The extension opens its own page when it is installed. It waits until the account is made.
  const welcome = await chromium.openedPage("/welcome.html");
  const tab = await chromium.newPage();
  await see(tab);
  await tab.goto(portal.setupUrl);
  await tab.waitForSelector("[name=name]");
  for (const [name, text] of Object.entries(owner)) await tab.type(`[name=${name}]`, text);
  await onStep("account", tab);
  await click(tab, "[type=submit]");
  await tab.waitForSelector("[data-key]");

  await see(welcome);
  await welcome.waitForSelector("#step-agree:not([hidden])");
  await onStep("agree", welcome);
  await click(welcome, "#agree");
  await welcome.waitForSelector("#step-connect:not([hidden])");
  if ((await welcome.$eval("#address", (field) => (field as HTMLInputElement).value)) !== portal.origin) {
    await welcome.$eval("#address", (field) => (field as HTMLInputElement).select());
    await welcome.keyboard.type(portal.origin);
  }
  await onStep("connect", welcome);
  await click(welcome, "#save");
  const approval = await chromium.openedPage(`${portal.origin}/pair?`);
  await see(approval);
  await approval.waitForSelector("[name=delete]");
  await onStep("approve", approval);
  await click(approval, "[type=submit]");
  await welcome.waitForSelector("#step-ready:not([hidden])");

  const page = await chromium.newPage();
  await see(page);
  await page.goto(reading.url);
  await onStep("read", page);
  await tab.bringToFront();
  clicks += 1;
  await tab.waitForSelector("[data-done=true]");
  await click(tab, "a[href='/']");
  await tab.waitForSelector(`main ::-p-text(${reading.title})`);
  await tab.keyboard.press("/");
  await tab.keyboard.type(reading.title.split(" ").at(-1) ?? "");
  await tab.keyboard.press("Enter");
  await tab.waitForSelector("main mark");
  await tab.waitForSelector(`main ::-p-text(${reading.title})`);
  await onStep("find", tab);
  return clicks;
}
