import { randomUUID } from "node:crypto";
import { accessibilityProblems } from "@periscope/harness/accessibility";
import { askPortal } from "@periscope/harness/portal";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

test("shows what a device reported, and unpairs it by ending its key", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const page = await chromium.open(`${portal.origin}/devices`, { cookie, width: 360, height: 780 });
  await page.waitForSelector("::-p-text(No device is paired)");

  const wanted = { name: "Chrome at home", scopes: ["write"], maxPrivacyLevel: "restricted", expiresInDays: null };
  const { key } = await askPortal<{ key: string }>(portal, cookie, "keys.create", wanted);
  const report = async (type: string, payload: object): Promise<number> => {
    const message = { id: randomUUID(), extensionId: "chrome-4f2a", timestamp: new Date().toISOString(), type, payload };
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return (await fetch(`${portal.baseUrl}/context/sync`, { method: "POST", headers, body: JSON.stringify(message) })).status;
  };
  expect(await report("config", { config: { queuedMessages: 12, isPaused: false } })).toBe(201);
  expect(await report("error", { code: "pdf_failed", message: "A PDF is protected." })).toBe(201);
  await page.reload();
  await page.waitForSelector("h2 ::-p-text(Chrome at home)");
  const facts = await page.$$eval("dl > div", (all) =>
    all.map(({ children }) => [...children].map((child) => child.textContent).join(": ")),
  );
  expect(facts.slice(0, 2)).toEqual(["Queued messages: 12", "Is paused: No"]);
  await page.waitForSelector("::-p-text(A PDF is protected.)");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.locator("[aria-label='Unpair Chrome at home']").click();
  await page.waitForSelector("[role=alertdialog]");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[role=alertdialog] ::-p-aria([name='Unpair'])").click();
  await page.waitForSelector("h2 ::-p-text(Unpaired)");
  expect(await report("heartbeat", {})).toBe(401);
  expect((await portal.client.key()).userId).toBe(portal.userId);

  await page.goto(portal.origin);
  const named = await page.waitForSelector("[title='chrome-4f2a']");
  expect(await named?.evaluate((element) => element.textContent)).toBe("Chrome at home");
});
