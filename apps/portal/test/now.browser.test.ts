import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

test("is empty at first, then shows what arrives without a reload", async ({ portal, chromium }) => {
  const page = await chromium.open(portal.origin, { cookie: portal.cookie, width: 360, height: 780 });
  await page.waitForSelector("::-p-text(Nothing has arrived yet)");
  await page.waitForSelector("::-p-text(Live)");

  await sendPages(portal, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  await page.waitForSelector("::-p-text(You are looking at)");
  await page.waitForSelector("::-p-text(The keeper of the lighthouse)");
  expect(await page.$("::-p-text(Nothing has arrived yet)")).toBeNull();
  await sendPages(portal, [{ id: "oil", title: "Two litres of oil" }]);
  await page.waitForSelector("li ::-p-text(The keeper of the lighthouse)");
});

test("keeps no connection while it is out of view, and shows what came in once it is back", async ({ portal, chromium }) => {
  const page = await chromium.open(portal.origin, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(Live)");
  let ended = 0;
  page.on("requestfailed", (request) => void (request.url().endsWith("/portal/live") && ended++));
  await page.evaluate(putOutOfView, true);
  await expect.poll(() => ended).toBe(1);
  await sendPages(portal, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  await page.evaluate(putOutOfView, false);
  await page.waitForSelector("::-p-text(Live)");
  await page.waitForSelector("::-p-text(The keeper of the lighthouse)");
});

/** Runs in the page: it takes itself for one that is, or is not, in view. */
function putOutOfView(isHidden: boolean): void {
  for (const [name, value] of Object.entries({ visibilityState: isHidden ? "hidden" : "visible", hidden: isHidden }))
    Object.defineProperty(document, name, { value, configurable: true });
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}

test("follows from minute to minute how much is stored", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  await page.evaluateOnNewDocument(() => {
    const repeat = setInterval;
    Object.assign(globalThis, { setInterval: (run: () => void, ms: number) => repeat(run, ms === 60_000 ? 500 : ms) });
  });
  await page.goto(portal.origin);
  await page.waitForSelector("section[aria-label=Stored] ::-p-text(0 bytes)");
  await sendPages(portal, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  await expect.poll(() => page.$eval("section[aria-label=Stored]", (card) => card.textContent)).toContain("35 bytes");
});

test("says in words what an extension could not do", async ({ portal, chromium }) => {
  const payload = { code: "pdf_failed", message: "A PDF is protected by a password." };
  for (let times = 0; times < 2; times++) await portal.client.sync({ type: "error", extensionId: "chrome-1", payload });
  const page = await chromium.open(portal.origin, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(A PDF is protected by a password.)");
  await page.waitForSelector("::-p-text(2 times)");
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("follows again after the server refused to be followed", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/keys`, { cookie: portal.cookie });
  let asked = 0;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isRefused = request.url().endsWith("/portal/live") && asked++ === 0;
    void (isRefused ? request.respond({ status: 503 }) : request.continue());
  });
  await page.goto(portal.origin);
  await page.waitForSelector("::-p-text(Live)");
  expect(asked).toBe(2);
});
