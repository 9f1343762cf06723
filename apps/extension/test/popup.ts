import type { Page } from "puppeteer-core";
import type { Chromium } from "../build/chromium.ts";

/** Opens the popup over the page in front, as the button in the toolbar does, and waits until it shows that page. It keeps the size that the browser gives it. */
export async function openPopup(chromium: Chromium): Promise<Page> {
  const worker = await chromium.worker();
  await worker.evaluate(async () => await chrome.action.openPopup());
  const popup = await chromium.openedPage("/popup.html");
  await popup.setViewport(null);
  await popup.waitForSelector("[data-ready]");
  return popup;
}
