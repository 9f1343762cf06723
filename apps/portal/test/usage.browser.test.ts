import { accessibilityProblems } from "@periscope/harness/accessibility";
import { createOwner, startPortal } from "@periscope/harness/portal";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

test("shows requests by kind and key, rate limits, and what was stored by day", async ({ chromium }) => {
  await using portal = await startPortal({ environment: { RATE_LIMIT_SEARCH: "2" } });
  const cookie = await createOwner(portal);
  const page = await chromium.open(`${portal.origin}/usage`, { cookie, width: 360, height: 780 });
  await page.waitForSelector("::-p-text(No requests in this time)");
  await page.waitForSelector("[aria-label^='Contexts by day: 0 in 30 days']");

  const day = 86_400_000;
  await sendPages(
    portal,
    Array.from({ length: 12 }, (_, at) => ({
      id: `p${at}`,
      title: `Page ${at}`,
      content: "1234",
      capturedAt: new Date(Date.now() - at * day),
    })),
  );
  const search = `${portal.baseUrl}/context/search?query=lamp`;
  // The limit is by the minute, which may change between two searches.
  let searches = 0;
  for (let refused = 0; refused < 2; searches++)
    if ((await fetch(search, { headers: { Authorization: `Bearer ${portal.key}` } })).status === 429) refused++;
  const requests = 12 + searches;
  await page.reload();
  await page.waitForSelector(`[aria-label^='Requests by day: ${requests} in 30 days, ${requests} on the busiest.']`);
  await page.waitForSelector("[aria-label^='Refused requests by day: 2 in 30 days']");
  await page.waitForSelector("[aria-label^='Contexts by day: 12 in 30 days, 1 on the busiest.']");
  await page.waitForSelector("[aria-label^='Text by day: 48 bytes in 30 days']");
  const legend = () => page.$$eval("figure li", (all) => all.map((entry) => entry.textContent));
  expect(await legend()).toEqual([`Search${searches}`, "Store12"]);
  // By keyboard from day to day, the last one first.
  const bars = await page.waitForSelector("[role=slider][aria-label='Requests by day']");
  await bars?.focus();
  const told = () => bars?.evaluate((slider) => slider.getAttribute("aria-valuetext"));
  await page.keyboard.press("ArrowLeft");
  expect(await told()).toMatch(new RegExp(`: ${requests}$`));
  await page.keyboard.press("ArrowLeft");
  expect(await told()).toMatch(/: 0$/);
  expect(await legend()).toEqual(["Search0", "Store0"]);
  await page.keyboard.press("Escape");
  expect(await legend()).toEqual([`Search${searches}`, "Store12"]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.locator("::-p-aria([name='7 days'])").click();
  await page.waitForSelector("[aria-label^='Contexts by day: 7 in 7 days']");
});
