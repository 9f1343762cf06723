import { mkdir, writeFile } from "node:fs/promises";
import type { Page } from "puppeteer-core";
import type { Settings } from "../src/settings/settings.js";
import { keeper, startSite } from "../test/local-site.ts";
import { openPopup } from "../test/popup.ts";
import { startExtensionBrowser } from "./browser.ts";

// Takes docs/images/*.png of consent, options and popup, in light and in dark.

const images = new URL("../../../docs/images/", import.meta.url);
const settings: Settings = {
  version: 2,
  consent: { version: 1, at: Date.UTC(2026, 0, 31, 12) },
  server: "http://127.0.0.1:8787/api/v1",
  answeredServer: "",
  account: "example",
  isRecording: true,
  pausedUntil: null,
  siteMode: "all-but",
  blockedSites: ["diary.example", "example.com/private"],
  onlySites: [],
  level: "private",
  siteLevels: [{ site: "forum.example", level: "filtered" }],
  captures: { page: true, navigation: true, selection: true, element: true, media: true, form: false },
};

await mkdir(images, { recursive: true });
await using site = await startSite({ "/keeper": keeper });
await using chromium = await startExtensionBrowser();
const consent = await chromium.open("consent.html", { width: 720, height: 860 });
await shoot(consent, "consent");
await consent.evaluate(async (settings) => await chrome.storage.local.set({ settings, key: "psk_example_of_a_key_7f3a" }), settings);
const options = await chromium.open("options.html", { width: 720, height: 1_480 });
await options.waitForSelector("[data-ready]");
await shoot(options, "options");
const page = await chromium.browser.newPage();
await page.goto(`${site.url}/keeper`);
const popup = await openPopup(chromium);
await popup.click("#preview summary");
await popup.waitForSelector("#preview-shown[data-ready]");
await shoot(popup, "popup");

async function shoot(page: Page, name: string): Promise<void> {
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const picture = await page.screenshot({ fullPage: name !== "popup" });
    const file = scheme === "light" ? `${name}.png` : `${name}-dark.png`;
    await writeFile(new URL(file, images), picture);
    console.log(`docs/images/${file} (${Math.round(picture.length / 1_024)} KB)`);
  }
}
