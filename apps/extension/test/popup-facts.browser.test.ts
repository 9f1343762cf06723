import { createPdf } from "@periscope/harness/pdf";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { startExtensionBrowser } from "../build/browser.ts";
import { initialSettings, type Settings } from "../src/settings/settings.js";
import { ask } from "./ask-server.ts";
import { has, textOf } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";
import { openPopup } from "./popup.ts";

const patience = { timeout: 60_000 };

/** The extension, connected, with the popup over a page; and what the server has stored, oldest first. */
async function openedOver(pages: Record<string, string>, options?: { sandboxed: string[] }) {
  await using opened = new AsyncDisposableStack();
  const data = opened.use(await temporaryDirectory("periscope-popup-facts-"));
  const server = opened.use(await startServer({ dataDir: data.path }));
  const site = opened.use(await startSite({ "/start": "<title>Start</title>", ...pages }, options));
  const chromium = opened.use(await startExtensionBrowser());
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, account: "ada", server: server.baseUrl };
  const welcome = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("welcome.html"))).asPage();
  await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key: server.key });
  const registered = async () =>
    await (await chromium.worker()).evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).length);
  await expect.poll(registered, patience).toBe(1);
  const page = await chromium.browser.newPage();
  await page.goto(`${site.url}/start`);
  const popup = await openPopup(chromium);
  await has(popup, "state", "Stored");
  const stored = async () => {
    const { contexts } = (await ask(server, "/context/history")).body as { contexts: { contextId: string; url: string; type: string }[] };
    const each = contexts.map(async ({ contextId, type, url }) => {
      const { content } = (await ask(server, `/context/${contextId}`)).body as { content: string };
      return { type, path: new URL(url).pathname, content };
    });
    return (await Promise.all(each)).toReversed().filter(({ path }) => path !== "/start");
  };
  const held = opened.move();
  return { chromium, page, popup, site, registered, stored, [Symbol.asyncDispose]: async () => await held.disposeAsync() };
}

const text = "At dusk she lights the lamp; the ferries find home.";
const withText = (path: string) => [{ type: "page", path, content: expect.stringContaining(text) }];

test("a page that was opened during a pause is stored only on request", async () => {
  await using opened = await openedOver({ "/keeper": keeper });
  const { page, popup, site, registered, stored } = opened;
  await popup.click("#pause");
  await has(popup, "state", "Paused until");
  await expect.poll(registered, patience).toBe(0);
  await page.goto(`${site.url}/keeper`);
  await has(popup, "page-title", "The keeper");
  expect(await textOf(popup, "state")).toContain("Paused until");

  await popup.click("#pause");
  await expect.poll(registered, patience).toBe(1);
  await has(popup, "fact-more", "It was open before recording began.");
  expect(await textOf(popup, "state")).toBe("Not stored");
  expect(await stored()).toEqual([]);
  await popup.click("#record");
  await has(popup, "state", "Stored");
  await expect.poll(stored, patience).toEqual(withText("/keeper"));
});

test("of a PDF whose text is not read, says that only the visit is stored", async () => {
  await using opened = await openedOver({ "/keeper.pdf": createPdf("The keeper of the lighthouse", text) });
  const { page, popup, site, stored } = opened;
  await page.goto(`${site.url}/keeper.pdf`);
  await expect.poll(stored, patience).toEqual([{ type: "navigation", path: "/keeper.pdf", content: "" }]);
  await has(popup, "page-title", "The keeper of the lighthouse");
  await has(popup, "state", "Only the visit is stored");
});

test("a sandboxed page is stored with its text, and the popup says so", async () => {
  await using opened = await openedOver({ "/keeper": keeper }, { sandboxed: ["/keeper"] });
  const { page, popup, site, stored } = opened;
  await page.goto(`${site.url}/keeper`);
  expect(await page.evaluate(() => origin)).toBe("null");
  await has(popup, "page-title", "The keeper");
  await has(popup, "state", "Stored");
  await expect.poll(stored, patience).toEqual(withText("/keeper"));
});

test("a prerendered page is stored once it is opened, and the popup says so", async () => {
  const rules = `<script type="speculationrules">{"prerender":[{"source":"list","urls":["/keeper"]}]}</script>`;
  await using opened = await openedOver({
    "/links": `<title>Links</title>${rules}<a href="/keeper">keeper</a>`,
    "/keeper": `${keeper}<script>addEventListener("load", () => fetch("/loaded"))</script>`,
  });
  const { chromium, page, popup, site, stored } = opened;
  await page.goto(`${site.url}/links`);
  await expect.poll(() => site.requests.map(({ path }) => path), patience).toContain("/loaded");
  await has(popup, "page-title", "Links");
  await has(popup, "state", "Stored");
  const ofKeeper = async () => (await stored()).filter(({ path }) => path === "/keeper");
  expect(await ofKeeper()).toEqual([]);
  // It closes the popup, as each click on a page does.
  await page.click("a");
  const again = await openPopup(chromium);
  await has(again, "page-title", "The keeper");
  await has(again, "state", "Stored");
  await expect.poll(ofKeeper, patience).toEqual(withText("/keeper"));
  const purposes = site.requests.filter(({ path }) => path === "/keeper").map(({ purpose }) => purpose);
  expect(purposes).toEqual(["prefetch;prerender"]);
});
