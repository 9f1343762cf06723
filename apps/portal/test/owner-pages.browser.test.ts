import { accessibilityProblems } from "@periscope/harness/accessibility";
import { createOwner, startPortal } from "@periscope/harness/portal";
import type { HTTPRequest } from "puppeteer-core";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

test("makes an invite that is shown once, and lets the owner revoke it", async ({ server: portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/people`, { cookie: portal.cookie, width: 360 });
  await page.waitForSelector("li ::-p-text(Owner)");
  await page.type("[name=note]", "Grace");
  await page.keyboard.press("Enter");
  const address = await (await page.waitForSelector("[role=status] code"))?.evaluate((code) => code.textContent);
  expect(address).toMatch(/\/invite#[\w-]{40,}$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.reload();
  // What comes above the invites moves them.
  await page.waitForSelector("li ::-p-text(Owner)");
  await page.waitForSelector("[aria-label='Revoke the invite of Grace']");
  expect(await page.content()).not.toContain(address);
  await page.locator("[aria-label='Revoke the invite of Grace']").click();
  await page.waitForSelector("[aria-label='Revoke the invite of Grace']", { hidden: true });
});

test("shows the version, metrics, findings, and where each setting came from", async ({ server: portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/system`, { cookie: portal.cookie, width: 360 });
  await page.waitForSelector("::-p-text(can be read and written)");
  await page.waitForSelector("::-p-text(migrations: up to date)");
  // A second reading makes a rate of the first.
  await page.waitForFunction(() =>
    [...document.querySelectorAll("section[aria-label=Metrics] dl > div")].some((fact) =>
      /^Requests a second[\d.]*[1-9]/.test(fact.textContent ?? ""),
    ),
  );
  const source = await page.$$eval("li", (rows) => rows.find((row) => row.textContent?.startsWith("RATE_LIMIT_READ"))?.textContent);
  expect(source).toBe("RATE_LIMIT_READ1000000000Environment");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("shows no request rate when two processes answer", async ({ server: portal, chromium }) => {
  await using other = await startPortal();
  const cookie = await createOwner(other);
  const page = await chromium.open(`${portal.origin}/explore`, { cookie: portal.cookie });
  // Every second reading is of the other process, as behind a balancer.
  let isBalanced = false;
  let readings = 0;
  const balance = async (request: HTTPRequest) => {
    const { pathname, search } = new URL(request.url());
    if (!isBalanced || !pathname.endsWith("/system.metrics") || ++readings % 2 === 0) return await request.continue();
    const answer = await fetch(other.origin + pathname + search, { headers: { Cookie: cookie } });
    await request.respond({ status: answer.status, contentType: "application/json", body: await answer.text() });
  };
  await page.setRequestInterception(true);
  page.on("request", (request) => void balance(request).catch(() => request.abort()));
  await page.goto(`${portal.origin}/system`);
  const note = () => page.$$eval("dl > div", (facts) => facts.find((fact) => fact.textContent?.startsWith("99 %"))?.textContent ?? "");
  await expect.poll(note).toContain("in the last seconds");
  isBalanced = true;
  // Each reading is shown before the page asks for the next one.
  for (const asked of [2, 3]) {
    await expect.poll(() => readings).toBeGreaterThanOrEqual(asked);
    expect(await note()).toContain("since the start");
  }
});

test("erases a user after asking once, and shows the receipt", async ({ server: portal, chromium }) => {
  const { cookie } = portal;
  const grace = await portal.createUser("grace");
  const status = async () => (await fetch(`${portal.baseUrl}/key`, { headers: { Authorization: `Bearer ${grace.key}` } })).status;
  const page = await chromium.open(`${portal.origin}/people`, { cookie });
  await page.locator("[aria-label='Erase grace']").click();
  await page.waitForSelector("[role=dialog] ::-p-text(Erase grace?)");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog]", { hidden: true });
  await page.reload();
  await page.locator("[aria-label='Erase grace']").click();
  await page.locator("[role=dialog] [type=submit]").click();
  await page.waitForSelector("[role=dialog] ::-p-text(nothing was found)");
  expect(await page.$eval("[role=dialog] dl", (list) => list.textContent)).toBe("keys1");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await status()).toBe(401);
  await page.locator("[role=dialog] ::-p-text(Done)").click();
  await page.waitForSelector("[aria-label='Erase grace']", { hidden: true });
});
