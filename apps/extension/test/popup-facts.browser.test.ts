import { hangMs } from "@periscope/harness/chromium";
import { createPdf } from "@periscope/harness/pdf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "./ask-server.ts";
import { connect, registeredScripts, type Stage, startStage } from "./connected.ts";
import { has, textOf } from "./extension-page.ts";
import { hostPatternsOf } from "../src/sites/sites.js";
import { keeper } from "./local-site.ts";
import { openPopup } from "./popup.ts";

const patience = { timeout: hangMs };
const text = "At dusk she lights the lamp; the ferries find home.";
const pdf = createPdf("The keeper of the lighthouse", text, "Paid with card 4111 1111 1111 1111 in spring.");
const rules = `<script type="speculationrules">{"prerender":[{"source":"list","urls":["/soon"]}]}</script>`;
const pages = {
  "/start": "<title>Start</title>",
  "/paused": keeper,
  "/sandboxed": keeper,
  "/links": `<title>Links</title>${rules}<a href="/soon">soon</a>`,
  "/soon": `${keeper}<script>addEventListener("load", () => fetch("/loaded"))</script>`,
  "/keeper.pdf": pdf,
  "/read.pdf": pdf,
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage(pages, { sandboxed: ["/sandboxed"] });
  await connect(stage.chromium, stage.server);
});
afterAll(async () => await stage[Symbol.asyncDispose]());

/** The popup over a page that is stored. */
async function openOver(path: string) {
  const { chromium, site } = stage;
  const page = await chromium.newPage();
  await page.goto(site.url + path);
  const popup = await openPopup(chromium);
  await has(popup, "state", "Stored");
  return {
    page,
    popup,
    async [Symbol.asyncDispose]() {
      for (const each of await chromium.browser.pages()) if (each === page || each.url().endsWith("/popup.html")) await each.close();
    },
  };
}

/** What the server has stored of a page. */
async function stored(path: string): Promise<object[]> {
  const { contexts } = (await ask(stage.server, "/context/history")).body as { contexts: { contextId: string; url: string }[] };
  const own = contexts.filter(({ url }) => new URL(url).pathname === path);
  return await Promise.all(own.map(async ({ contextId }) => (await ask(stage.server, `/context/${contextId}`)).body as object));
}

const withText = [expect.objectContaining({ type: "page", content: expect.stringContaining(text) })];
const visitOnly = [expect.objectContaining({ type: "navigation", content: "" })];

test("a page that was opened during a pause is stored only on request", async () => {
  await using opened = await openOver("/start");
  const { page, popup } = opened;
  const scripts = async () => (await registeredScripts(stage.chromium)).length;
  await popup.locator("#pause").click();
  await has(popup, "state", "Paused until");
  await expect.poll(scripts, patience).toBe(0);
  await page.goto(`${stage.site.url}/paused`);
  await has(popup, "page-title", "The keeper");
  expect(await textOf(popup, "state")).toContain("Paused until");

  await popup.locator("#pause:not([aria-busy])").click();
  await expect.poll(scripts, patience).toBe(1);
  await has(popup, "fact-more", "It was open before recording began.");
  expect(await textOf(popup, "state")).toBe("Not stored");
  expect(await stored("/paused")).toEqual([]);
  await popup.locator("#record").click();
  await has(popup, "state", "Stored");
  await expect.poll(() => stored("/paused"), patience).toEqual(withText);
});

test("a sandboxed page is stored with its text, and the popup says so", async () => {
  await using opened = await openOver("/start");
  const { page, popup } = opened;
  await page.goto(`${stage.site.url}/sandboxed`);
  expect(await page.evaluate(() => origin)).toBe("null");
  await has(popup, "page-title", "The keeper");
  await has(popup, "state", "Stored");
  await expect.poll(() => stored("/sandboxed"), patience).toEqual(withText);
});

test("an anchor leads to no other page: it is stored all the same", async () => {
  await using opened = await openOver("/start");
  const { page, popup } = opened;
  await popup.close();
  await page.evaluate(() => (location.hash = "lamp"));
  const again = await openPopup(stage.chromium);
  expect(await textOf(again, "state")).toBe("Stored");
});

test("a prerendered page is stored once it is opened, and the popup says so", async () => {
  const { requests } = stage.site;
  await using opened = await openOver("/links");
  await expect.poll(() => requests.map(({ path }) => path), patience).toContain("/loaded");
  await has(opened.popup, "page-title", "Links");
  expect(await stored("/soon")).toEqual([]);
  // It closes the popup, as each click on a page does.
  await opened.page.locator("a").click();
  const again = await openPopup(stage.chromium);
  await has(again, "page-title", "The keeper");
  await has(again, "state", "Stored");
  await expect.poll(() => stored("/soon"), patience).toEqual(withText);
  const purposes = requests.filter(({ path }) => path === "/soon").map(({ purpose }) => purpose);
  expect(purposes).toEqual(["prefetch;prerender"]);
});

test("stores a PDF's visit, and its filtered text once that is on", async () => {
  await using opened = await openOver("/start");
  const { page, popup } = opened;
  await page.goto(`${stage.site.url}/keeper.pdf`);
  await expect.poll(() => stored("/keeper.pdf"), patience).toEqual(visitOnly);
  await page.reload();
  await has(popup, "page-title", "The keeper of the lighthouse");
  await has(popup, "state", "Only the visit is stored");
  // Its text cannot be read. That is said of no other page.
  await popup.locator("#record").click();
  await has(popup, "fact-more", "could not be read or kept");
  await page.goto(`${stage.site.url}/start`);
  await has(popup, "page-title", "Start");
  expect(await textOf(popup, "fact-more")).not.toContain("could not be read or kept");

  const options = await stage.chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  await options.locator("#reads-pdfs").click();
  await page.bringToFront();
  await page.goto(`${stage.site.url}/read.pdf`);
  const read = {
    type: "page",
    title: "The keeper of the lighthouse",
    content: `${text}\nPaid with card [REDACTED:card] in spring.`,
    metadata: expect.objectContaining({ pages: 1, byline: "Ada" }),
  };
  await expect.poll(() => stored("/read.pdf"), patience).toEqual([expect.objectContaining(read)]);
  await page.reload();
  await page.goto(`${stage.site.url}/keeper.pdf`);
  await expect.poll(() => stored("/keeper.pdf"), patience).toEqual([expect.objectContaining(read), ...visitOnly]);
  expect(await stored("/read.pdf")).toHaveLength(1);
  await options.close();
});

test("a page whose text is switched off is not said to be kept out by the filter", async () => {
  await using opened = await openOver("/start");
  const { page, popup } = opened;
  await popup.close();
  const options = await stage.chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  await options.locator("#capture-page").click();
  await expect
    .poll(async () => JSON.stringify(await options.evaluate(() => chrome.storage.local.get("settings"))))
    .toContain('"page":false');
  await page.bringToFront();
  await page.goto(`${stage.site.url}/sandboxed`);
  const again = await openPopup(stage.chromium);
  await has(again, "page-title", "The keeper");
  await again.locator("#record").click();
  await has(again, "fact-more", "switched off in the options");
  // The reason of the page, not the shorter one of the press.
  expect(await textOf(again, "fact-more")).not.toContain("Not recorded:");
  await has(again, "state", "Not stored");
  await options.bringToFront();
  await options.locator("#capture-page").click();
  await options.close();
});

test("a check box is saved as it was pressed, also while other settings change", async () => {
  const options = await stage.chromium.open("options.html");
  await options.waitForSelector("[data-ready]");
  const saved = async () => {
    const { settings } = await chrome.storage.local.get<{ settings: { captures: { form: boolean } } }>("settings");
    return settings.captures.form;
  };
  expect(await options.evaluate(saved)).toBe(false);
  await options.evaluate(async () => {
    const { settings } = await chrome.storage.local.get<{ settings: object }>("settings");
    const box = document.querySelector<HTMLInputElement>("#capture-form")!;
    // Whoever saves has this lock.
    await navigator.locks.request("periscope-settings", async () => {
      box.click();
      await chrome.storage.local.set({ settings: { ...settings, level: "filtered" } });
      while (box.checked || !document.querySelector<HTMLInputElement>("#level-filtered")?.checked) await new Promise(requestAnimationFrame);
    });
  });
  await expect.poll(() => options.evaluate(saved), patience).toBe(true);
  await options.close();
});

test("the browser can give what is asked for of a site that is named", async () => {
  const options = await stage.chromium.open("options.html");
  for (const site of ["example.com", "example.com/private", "127.0.0.1"]) {
    const has = async (origins: string[]) => await chrome.permissions.contains({ origins });
    expect(await options.evaluate(has, hostPatternsOf(site))).toBe(true);
  }
});
