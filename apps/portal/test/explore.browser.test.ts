import { accessibilityProblems } from "@periscope/harness/accessibility";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

const day = 86_400_000;

/** Waits until the results of a query are shown. */
const shown = (page: Page, query: string) => page.waitForSelector(`[data-shown='${query}']`);
const titles = (page: Page) => page.$$eval("main li a .font-medium", (all) => all.map((title) => title.textContent));
const status = (page: Page) => page.$eval("main [role=status]", (text) => text.textContent);

test("finds while a person types, filters, pages, and shows the text of a result", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const page = await chromium.open(`${portal.origin}/explore`, { cookie });
  await page.waitForSelector("::-p-text(Nothing is stored yet)");

  const pages = Array.from({ length: 45 }, (_, at) => ({
    id: `page-${at}`,
    title: `Ferry ${at}`,
    url: `https://ferries.example/${at}`,
    content: "Crossings in winter.",
    capturedAt: new Date(Date.now() - at * day),
  }));
  const keeper = { id: "keeper", title: "The keeper", url: "https://sea.example/keeper", extensionId: "firefox-1" };
  await sendPages(portal, [
    ...pages,
    { ...keeper, content: "# Lamps\n\nThe **lighthouse** keeper: jo@example.org", contentFormat: "markdown" },
  ]);
  await page.reload();
  await page.waitForSelector("::-p-text(46 contexts)");
  for (const count of [20, 40, 46]) {
    await page.waitForFunction((wanted) => document.querySelectorAll("main li a").length >= wanted, {}, count);
    await page.$eval("#main", (main) => main.scrollTo(0, main.scrollHeight));
  }
  expect(await titles(page)).toEqual(["The keeper", ...pages.map(({ title }) => title)]);

  await page.type("#explore-query", "lighthouses");
  await shown(page, "lighthouses");
  expect(await titles(page)).toEqual(["The keeper"]);
  expect(await page.$$eval("main mark", (marks) => marks.map((mark) => mark.textContent))).toEqual(["lighthouse"]);
  expect(await accessibilityProblems(page)).toEqual([]);

  // The address has what was typed, also when the person goes on at once.
  await page.locator("main li a").click();
  await page.waitForSelector(".prose strong ::-p-text(lighthouse)");
  await page.waitForSelector("::-p-text(firefox-1)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("::-p-text(Back)").click();
  await shown(page, "lighthouses");

  await page.goto(`${portal.origin}/explore?site=ferries.example&since=${new Date(Date.now() - 9.5 * day).toISOString()}`);
  await shown(page, "");
  expect(await status(page)).toBe("10 contexts");
  await page.goto(`${portal.origin}/explore?extensionId=firefox-1`);
  await shown(page, "");
  expect(await titles(page)).toEqual(["The keeper"]);
});

test("selects a time range by pointer and keyboard, and undoes it with Back", async ({ portal, chromium }) => {
  const pages = Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, title: `Page ${at}`, capturedAt: new Date(Date.now() - at * day) }));
  await sendPages(portal, pages);
  const page = await chromium.open(`${portal.origin}/explore`, { cookie: portal.cookie });
  await page.waitForSelector("figure button");
  const bars = await page.$$("figure button");
  const [first, last] = await Promise.all([bars[0]?.boundingBox(), bars.at(-1)?.boundingBox()]);
  if (!first || !last) throw new Error("The histogram is not drawn.");
  const y = first.y + first.height / 2;
  await page.mouse.move(first.x + 2, y);
  await page.mouse.down();
  await page.mouse.move((first.x + last.x) / 2, y, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction(() => location.search.includes("since=") && location.search.includes("until="));
  await page.waitForFunction(() => Number.parseInt(document.querySelector("main [role=status]")?.textContent ?? "20") < 20);

  await page.locator("::-p-text(Clear filters)").click();
  await page.waitForSelector("::-p-text(20 contexts)");
  await page.focus("figure button:not(:disabled)");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.search.includes("since="));
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goBack();
  await page.waitForSelector("::-p-text(20 contexts)");
});

test("deletes what a search finds only after the person has seen how much", async ({ portal, chromium }) => {
  await sendPages(portal, [
    { id: "a", title: "One", content: "brass polish" },
    { id: "b", title: "Two", content: "brass lamp" },
    { id: "c", title: "Three", content: "rope" },
  ]);
  // Half typed: what is shown is of the whole word, and only that is deleted.
  const page = await chromium.open(`${portal.origin}/explore?query=bra`, { cookie: portal.cookie });
  await shown(page, "bra");
  await page.locator("::-p-text(Delete these…)").click();
  await page.waitForSelector("::-p-text(Delete 2 contexts?)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[role=dialog] ::-p-text(Keep them)").click();
  expect((await portal.client.history()).total).toBe(3);
  await page.locator("::-p-text(Delete these…)").click();
  await page.waitForSelector("::-p-text(Delete 2 contexts?)");
  await page.locator("[role=dialog] ::-p-aria([name='Delete 2'][role='button'])").click();
  await page.waitForSelector("::-p-text(Nothing matches)");
  const { items } = await portal.client.history();
  expect(items.map(({ title }) => title)).toEqual(["Three"]);
});

test("counts again when more was stored than the person has seen", async ({ portal, chromium }) => {
  await sendPages(portal, [{ id: "a", title: "One", content: "brass" }]);
  const page = await chromium.open(`${portal.origin}/explore?query=brass`, { cookie: portal.cookie });
  await shown(page, "brass");
  await page.locator("::-p-text(Delete these…)").click();
  await page.waitForSelector("::-p-text(Delete 1 context?)");
  await sendPages(portal, [{ id: "b", title: "Two", content: "brass" }]);
  await page.locator("[role=dialog] ::-p-aria([name='Delete 1'][role='button'])").click();
  await page.waitForSelector("[role=dialog] [role=alert]");
  await page.locator("[role=dialog] [role=alert] button").click();
  await page.waitForSelector("::-p-text(Delete 2 contexts?)");
  expect(await page.$("[role=dialog] [role=alert]")).toBeNull();
});

test("deletes what the dialog shows, although the filter changed behind it", async ({ portal, chromium }) => {
  await sendPages(portal, [
    { id: "a", title: "One", content: "brass" },
    { id: "b", title: "Two", content: "brass", extensionId: "firefox-1" },
    { id: "c", title: "Three", content: "rope" },
  ]);
  const page = await chromium.open(`${portal.origin}/explore?query=brass&extensionId=firefox-1`, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(1 context)");
  await page.locator("::-p-text(Clear filters)").click();
  await page.waitForSelector("::-p-text(2 contexts)");
  await page.locator("::-p-text(Delete these…)").click();
  await page.waitForSelector("::-p-text(Delete 2 contexts?)");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("main [role=status]")?.textContent === "1 context");
  await page.locator("[role=dialog] ::-p-aria([name='Delete 2'][role='button'])").click();
  await page.waitForSelector("[role=dialog]", { hidden: true });
  const { items } = await portal.client.history();
  expect(items.map(({ title }) => title)).toEqual(["Three"]);
});

test("reloads the shown results when Try again is pressed", async ({ portal, chromium }) => {
  await sendPages(portal, [{ id: "a", title: "One" }]);
  const page = await chromium.open(`${portal.origin}/explore`, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(1 context)");
  let isCut = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (isCut && request.url().includes("explore.search") ? request.abort() : request.continue()));
  // A page that a person comes back to renews what is shown.
  const comeBack = () => {
    if (document.querySelector("[role=alert]")) return true;
    globalThis.dispatchEvent(new Event("visibilitychange"));
    return false;
  };
  await page.waitForFunction(comeBack, { polling: 500 });
  isCut = false;
  await sendPages(portal, [{ id: "b", title: "Two" }]);
  await page.locator("[role=alert] button").click();
  await page.waitForSelector("::-p-text(2 contexts)");
  expect(await titles(page)).toContain("Two");
});

test("deletes one context from its page", async ({ portal, chromium }) => {
  await sendPages(portal, [{ id: "a", title: "One" }]);
  const page = await chromium.open(`${portal.origin}/contexts/a`, { cookie: portal.cookie });
  await page.waitForSelector("h1 ::-p-text(One)");
  await page.locator("main ::-p-text(Delete)").click();
  await page.waitForSelector("::-p-text(Delete this context?)");
  await page.locator("[role=alertdialog] ::-p-aria([name='Delete'])").click();
  await page.waitForSelector("::-p-text(Nothing is stored yet)");
  expect((await portal.client.history()).total).toBe(0);
  await page.goto(`${portal.origin}/contexts/a`);
  await page.waitForSelector("::-p-text(This context is not stored)");
});
