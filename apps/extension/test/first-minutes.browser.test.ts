import { hangMs } from "@periscope/harness/chromium";
import { startPortal } from "@periscope/harness/portal";
import { expect, test } from "vitest";
import { startChromium } from "../build/chromium.ts";
import { walkFirstMinutes } from "./first-minutes.ts";
import { keeper, startSite } from "./local-site.ts";

const patience = { timeout: hangMs };

test("leads from the printed address to one's own page in at most six clicks, and does not record the portal", async () => {
  await using portal = await startPortal();
  await using site = await startSite({ "/keeper": keeper, "/next": keeper });
  await using chromium = await startChromium();
  const reading = { url: `${site.url}/keeper`, title: "The keeper of the lighthouse" };
  expect(await walkFirstMinutes({ portal, chromium, reading })).toBeLessThanOrEqual(6);
  // The page just read stays the current one.
  const page = await chromium.newPage();
  await page.goto(`${portal.origin}/`);
  await page.waitForSelector(`main ::-p-text(${reading.title})`);
  expect((await portal.client.current())?.url).toBe(reading.url);
  await page.goto(`${site.url}/next`);
  await expect.poll(async () => (await portal.client.current())?.url, patience).toBe(`${site.url}/next`);
  // The queue is in order: what comes before this page would have arrived.
  const { items } = await portal.client.history({ limit: 100 });
  expect(items.map(({ url }) => url)).toEqual([`${site.url}/next`, reading.url]);
});
