import { accessibilityProblems } from "@periscope/harness/accessibility";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent?.trim());

/** What opens something, by page. */
const openers = {
  "/keys": ["New key", "Revoke first key"],
  "/contexts/keeper": ["Delete"],
  "/explore?query=keeper": ["Delete these…", "How to search", "Kind", "Time"],
  "/data": ["Erase everything…"],
  "/": ["Account of Ada"],
};

test("Enter opens each dialog and menu, and Escape leads back to what opened it", async ({ portal, chromium }) => {
  await sendPages(portal, [{ id: "keeper", title: "The keeper" }]);
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  for (const [path, names] of Object.entries(openers)) {
    await page.goto(portal.origin + path);
    for (const name of names) {
      const opener = await page.waitForSelector(`::-p-aria([name='${name}'][role='button'])`);
      await opener?.focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector(":is([role=dialog], [role=alertdialog], [role=menu]):focus-within");
      await page.keyboard.press("Escape");
      await page.waitForSelector("[role=dialog], [role=alertdialog], [role=menu]", { hidden: true });
      await expect.poll(() => focused(page)).toBe(name);
    }
  }
});

test("goes to the search by / and Ctrl+K, and lists such keys by ?", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/keys`, { cookie: portal.cookie });
  await page.waitForSelector("li ::-p-text(first key)");
  await page.keyboard.press("?");
  await page.waitForSelector("[role=dialog] ::-p-text(Keyboard shortcuts)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog]", { hidden: true });
  await page.keyboard.press("/");
  expect(await focused(page)).toBe("Search your pages");
  await page.keyboard.type("lens?");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#explore-query");
  expect(await page.$eval("#explore-query", (field) => (field as HTMLInputElement).value)).toBe("lens?");
  await page.focus("nav a[href='/keys']");
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  expect(await focused(page)).toBe("Search everything you have seen");
});

test("goes from bar to bar of the histogram by arrows", async ({ portal, chromium }) => {
  const days = [0, 3, 9].map((ago) => new Date(Date.now() - ago * 86_400_000));
  await sendPages(
    portal,
    days.map((capturedAt, at) => ({ id: `p${at}`, title: `Page ${at}`, capturedAt })),
  );
  const page = await chromium.open(`${portal.origin}/explore`, { cookie: portal.cookie });
  await page.waitForSelector("figure button");
  await page.focus("figure button[tabindex='0']");
  const names = [await focused(page)];
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press("ArrowRight");
    names.push(await focused(page));
  }
  expect(new Set(names).size).toBe(3);
  await page.keyboard.press("ArrowLeft");
  expect(await focused(page)).toBe(names[1]);
  await page.keyboard.press("Enter");
  await page.waitForSelector("main ::-p-text(1 context)");
});
