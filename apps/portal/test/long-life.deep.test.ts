import { createOwner, startPortal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { expectSoundPages } from "./drawn-pages.ts";
import { amounts, extremes, recordLongLife } from "./long-life.ts";
import { test as portalTest } from "./portal-test.ts";

// Vitest reads what a fixture needs from its first parameter, also when that is nothing.
/* oxlint-disable no-empty-pattern */

const test = portalTest.extend("life", { scope: "file" }, async ({}, { onCleanup }) => {
  const server = await startPortal({ environment: { SIGN_UP: "invite", RATE_LIMIT_ANONYMOUS: "1000000000" } });
  onCleanup(() => server[Symbol.asyncDispose]());
  const cookie = await createOwner(server);
  return { ...server, cookie, pages: await recordLongLife(server, cookie) };
});

const titles = (page: Page) => page.$$eval("main li a .font-medium", (all) => all.map((title) => title.textContent));
const count = (page: Page, selector: string) => page.$$eval(selector, (all) => all.length);

/** What each page must show before it is looked at. */
const paths = {
  "/": "20,000",
  "/explore": "20,000 contexts",
  "/explore?query=lighthouse": "contexts",
  "/keys": "Program 1",
  "/devices": "firefox-29",
  "/usage": "on the busiest day",
  "/privacy": "Everything is kept until you delete it.",
  "/data": "20,000",
  "/people": "20,000 contexts",
  "/system": "contexts and updates since the start",
  "/account": "This one",
  ...Object.fromEntries(extremes.map((_, at) => [`/contexts/page-${at}`, "Captured"])),
};

test("every page of a long life is sound on wide and narrow screens", async ({ life, chromium }) => {
  const page = await chromium.open(`${life.origin}/sign-in`, { cookie: life.cookie });
  await expectSoundPages(page, life.origin, paths);
});

test("counts what there is on each page", async ({ life, chromium }) => {
  const page = await chromium.open(life.origin, { cookie: life.cookie });
  const midnight = new Date().setHours(0, 0, 0, 0);
  const today = life.pages.filter(({ capturedAt }) => capturedAt.getTime() >= midnight).length;
  await page.waitForSelector(`section[aria-label=Today] ::-p-text(${today.toLocaleString("en-US")})`);

  await page.goto(`${life.origin}/keys`);
  await page.waitForFunction((keys) => document.querySelectorAll("[aria-label^=Revoke]").length === keys, {}, amounts.keys);
  await page.goto(`${life.origin}/devices`);
  await page.waitForFunction((devices) => document.querySelectorAll("[aria-label^=Unpair]").length === devices, {}, amounts.devices);
  await page.goto(`${life.origin}/people`);
  await page.waitForFunction((people) => document.querySelectorAll("[aria-label^=Erase]").length === people, {}, amounts.people - 1);

  await page.goto(`${life.origin}/usage`);
  await page.locator("::-p-aria([name='90 days'])").click();
  const firstDay = Math.floor(Date.now() / 86_400_000) - 89;
  const captured = life.pages.filter(({ capturedAt }) => capturedAt.getTime() / 86_400_000 >= firstDay).length;
  await page.waitForSelector(`[aria-label^='Contexts by day: ${captured.toLocaleString("en-US")} in 90 days']`);
  // The first key was never used.
  await page.locator(`::-p-text(Show all ${amounts.keys - 1} keys)`).click();
  expect(await count(page, "section[aria-label='By key'] li")).toBe(amounts.keys - 1);
});

test("shows the newest first, the next ones by scrolling, and older ones by a button", async ({ life, chromium }) => {
  const wanted = life.pages.map(({ title }) => title || "Without a title");
  const page = await chromium.open(`${life.origin}/explore`, { cookie: life.cookie });
  await page.waitForSelector("main li a");
  for (;;) {
    const before = await count(page, "main li a");
    expect(await titles(page)).toEqual(wanted.slice(0, before));
    if (before === 500) break;
    await page.$eval("#main", (main) => main.scrollTo(0, main.scrollHeight));
    await page.waitForFunction((rows) => document.querySelectorAll("main li a").length > rows, {}, before);
  }
  await page.locator("main ::-p-text(Show older)").click();
  await page.waitForFunction((title) => document.querySelector("main li a .font-medium")?.textContent === title, {}, wanted[499]);
  expect(await titles(page)).toEqual(wanted.slice(499, 499 + (await count(page, "main li a"))));
  await page.goBack();
  await page.waitForFunction((title) => document.querySelector("main li a .font-medium")?.textContent === title, {}, wanted[0]);
});

test("finds one of twenty thousand pages while a person types", async ({ life, chromium }) => {
  const page = await chromium.open(`${life.origin}/explore`, { cookie: life.cookie });
  const title = life.pages[12_345]?.title ?? "";
  await page.waitForSelector("main li a");
  await page.type("#explore-query", "12345");
  await page.waitForSelector("[data-shown='12345']");
  expect(await titles(page)).toEqual([title]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[data-shown=''] ::-p-text(Today)");
});
