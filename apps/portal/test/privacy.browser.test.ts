import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

test("keeps rules, refuses a site that is none, and shows what each level stores", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/privacy`, { cookie: portal.cookie, width: 360 });
  await (await page.waitForSelector("[aria-label='Word or name to remove']"))?.type("Ada Lovelace");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[aria-label='Remove Ada Lovelace']");
  await page.type("[aria-label='Site to block']", "no site at all");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert] ::-p-text(must be a host)");
  await page.$eval("[name=content]", (text) => ((text as HTMLTextAreaElement).value = "Ada Lovelace: ada@example.org"));
  await page.locator("::-p-text(Show what is stored)").click();
  await page.locator("[value=filtered][type=radio]").click();
  await page.waitForSelector("[role=status] ::-p-text(email)");
  expect(await page.$eval("[role=status]", (status) => status.textContent)).not.toMatch(/Lovelace|ada@/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityProblems(page)).toEqual([]);
  // The bars of a phone do not cover what the keyboard reaches.
  await page.focus("[aria-label='Remove Ada Lovelace']");
  const isUncovered = await page.$eval("[aria-label='Remove Ada Lovelace']", (button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  expect(isUncovered).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForSelector("[aria-label='Remove Ada Lovelace']", { hidden: true });
});

test("adds a retention rule after saying what it deletes, and removes it", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/privacy`, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(Everything is kept until you delete it.)");
  await page.type("[name=site]", "news.example");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=dialog] ::-p-text(news.example: 90 days. What is older is deleted for good within the hour)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog]", { hidden: true });
  expect(await page.$("main li")).toBeNull();
  await page.focus("[name=site]");
  await page.keyboard.press("Enter");
  await page.locator("[role=dialog] ::-p-text(Delete what is older)").click();
  await page.waitForSelector("[role=dialog]", { hidden: true });
  await page.waitForSelector("li ::-p-text(news.example: 90 days)");
  expect(await page.$$("main li")).toHaveLength(1);
  await page.locator("[aria-label='Remove the rule: news.example: 90 days']").click();
  await page.waitForSelector("::-p-text(Everything is kept until you delete it.)");
});

test("undoes no change that another place made after the page was loaded", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/privacy`, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(Everything is kept until you delete it.)");
  const headers = { Authorization: `Bearer ${portal.key}`, "Content-Type": "application/json" };
  const elsewhere = JSON.stringify({ blockedSites: ["one.example"], siteRules: [], denyList: [] });
  await fetch(`${portal.baseUrl}/privacy/rules`, { method: "PUT", headers, body: elsewhere });
  await page.locator("[aria-label='Site to block']").fill("two.example");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alert] ::-p-text(were changed in another place)");
  await page.waitForSelector("[aria-label='Remove one.example']");
  await page.focus("[aria-label='Site to block']");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[aria-label='Remove two.example']");
  await page.waitForSelector("[aria-label='Remove one.example']");
});

test("takes one change of a list at a time", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/privacy`, { cookie: portal.cookie });
  const block = async (site: string) => {
    await page.locator("[aria-label='Site to block']").fill(site);
    await page.keyboard.press("Enter");
  };
  await block("one.example");
  await page.waitForSelector("[aria-label='Remove one.example']");
  const held = Promise.withResolvers<void>();
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (request.url().endsWith("/privacy.saveRules")) void held.promise.then(() => request.continue());
    else void request.continue();
  });
  await block("two.example");
  await page.waitForSelector("[aria-label='Remove one.example']:disabled");
  held.resolve();
  await page.waitForSelector("[aria-label='Remove two.example']");
  await page.locator("[aria-label='Remove one.example']").click();
  await page.waitForSelector("[aria-label='Remove one.example']", { hidden: true });
  expect(await page.$("[aria-label='Remove two.example']")).not.toBeNull();
});
