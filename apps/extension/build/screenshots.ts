import { mkdir, writeFile } from "node:fs/promises";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import type { Page } from "puppeteer-core";
import type { Settings } from "../src/settings/settings.js";
import { keeper, startSite } from "../test/local-site.ts";
import { openPopup } from "../test/popup.ts";
import { startChromium } from "./chromium.ts";

// Takes docs/images/*.png of welcome, options and popup, in light and in dark. The pages are recorded by a real server.
// Afterwards, `pngquant --strip --force --ext .png` makes them less than half as large.

const images = new URL(process.argv[2] ?? "../../../docs/images/", process.argv[2] === undefined ? import.meta.url : "file:///");
const titles = ["How a Fresnel lens bends light", "Ferry timetable, winter", "Keeping logs at sea", "Brass polish, compared"];
const pages = Object.fromEntries(titles.map((title, index) => [`/${index}`, `<title>${title}</title><h1>${title}</h1><p>Notes.</p>`]));

await mkdir(images, { recursive: true });
await using data = await temporaryDirectory("periscope-screenshots-");
await using server = await startServer({ dataDir: data.path });
await using site = await startSite({ "/keeper": keeper, ...pages });
await using chromium = await startChromium();

const welcome = await chromium.open("welcome.html", { width: 760, height: 860 });
await welcome.waitForSelector("[data-ready]");
await shoot(welcome, "welcome");
const settings: Settings = {
  version: 3,
  consent: { version: 1, at: Date.UTC(2026, 0, 31, 12) },
  server: server.baseUrl,
  account: "example",
  isRecording: true,
  pausedUntil: null,
  siteMode: "all-but",
  level: "private",
  captures: { page: true, navigation: true, selection: true, element: true, media: true, form: false },
  keepsWholePages: false,
  readsPdfs: true,
  sites: [
    { site: "diary.example", rule: "blocked" },
    { site: "forum.example", rule: "filtered" },
  ],
};
await welcome.evaluate(async (settings) => await chrome.storage.local.set({ settings: { ...settings, account: "" } }), settings);
await welcome.waitForSelector("#step-connect:not([hidden])");
await shoot(welcome, "welcome-connect");
await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key: server.key });
await welcome.waitForSelector("#step-ready:not([hidden])");

const page = await chromium.newPage();
for (const path of [...Object.keys(pages), "/keeper"]) {
  await page.bringToFront();
  await page.goto(site.url + path);
  await arrived(path);
}
await welcome.bringToFront();
await welcome.waitForSelector("#first[data-done]");
await shoot(welcome, "welcome-ready");
const options = await chromium.open("options.html", { width: 960, height: 1_000 });
await options.waitForSelector("[data-ready]");
await shoot(options, "options");
await options.close();
await page.bringToFront();
const popup = await openPopup(chromium);
await popup.waitForSelector("[data-tone=good]");
await popup.waitForFunction(() => document.getElementById("queue")?.textContent?.startsWith("All sent"));
await shoot(popup, "popup");

/** Waits until the server has a page. */
async function arrived(path: string): Promise<void> {
  for (;;) {
    const headers = { Authorization: `Bearer ${server.key}` };
    const { contexts } = (await (await fetch(`${server.baseUrl}/context/history?type=page`, { headers })).json()) as {
      contexts: { url: string }[];
    };
    if (contexts.some(({ url }) => url.endsWith(path))) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function shoot(page: Page, name: string): Promise<void> {
  // A tab behind another is not drawn.
  if (name !== "popup") await page.bringToFront();
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
    // A window without a screen gives the popup less room than a person has.
    const [width, height] = await page.evaluate(() => [document.body.offsetWidth, document.body.offsetHeight] as const);
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width, height }, captureBeyondViewport: true });
    const file = scheme === "light" ? `${name}.png` : `${name}-dark.png`;
    await writeFile(new URL(file, images), picture);
    console.log(`docs/images/${file} (${Math.round(picture.length / 1_024)} KB)`);
  }
}
