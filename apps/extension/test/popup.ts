import type { Page } from "puppeteer-core";
import type { ExtensionBrowser } from "../build/browser.ts";

/** Opens the popup over the page in front, as the button in the toolbar does, and waits until it shows that page. */
export async function openPopup({ browser }: ExtensionBrowser): Promise<Page> {
  const target = await browser.waitForTarget((target) => target.type() === "service_worker" && target.url().endsWith("background.js"));
  const worker = await target.worker();
  await worker?.evaluate(async () => await chrome.action.openPopup());
  const popup = await (await browser.waitForTarget((target) => target.url().endsWith("/popup.html"))).asPage();
  await popup.waitForSelector("[data-ready]");
  return popup;
}
