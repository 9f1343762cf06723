import { accessibilityProblems } from "@periscope/harness/accessibility";
import { askPortal } from "@periscope/harness/portal";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

const newKey = { scopes: ["read"], maxPrivacyLevel: "restricted", expiresInDays: null };

test("makes a key that is shown once beside ready configurations, and works", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/keys`, { cookie: portal.cookie });
  await page.waitForSelector("li ::-p-text(first key)");

  await page.locator("::-p-aria([name='New key'][role='button'])").click();
  await page.waitForSelector("[name=name]");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.type("[name=name]", "Cursor");
  await page.select("[name=level]", "private");
  await page.keyboard.press("Enter");
  const key = (await page.waitForSelector("[data-key]").then((element) => element?.evaluate((code) => code.textContent))) ?? "";
  expect(key).toMatch(/^psk_/);
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const program of ["Claude Desktop", "Claude Code", "Cursor", "VS Code", "TypeScript", "curl"]) {
    await page.locator(`[role=dialog] ::-p-aria([name='${program}'][role='tab'])`).click();
    const text = await page.$eval("[role=dialog] [role=tabpanel]:not([hidden]) pre", (pre) => pre.textContent);
    expect(text).toContain(key);
    expect(text).toContain(portal.origin);
  }
  const response = await fetch(`${portal.baseUrl}/key`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await response.json()).toMatchObject({ name: "Cursor", scopes: ["read"], maxPrivacyLevel: "private" });

  await page.locator("[role=dialog] ::-p-text(Done)").click();
  await page.waitForSelector("li ::-p-text(Cursor)");
  await page.reload();
  await page.waitForSelector("li ::-p-text(Cursor)");
  expect(await page.content()).not.toContain(key);
});

test("revokes a key after asking once, also by keyboard", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const { key } = await askPortal<{ key: string }>(portal, cookie, "keys.create", { ...newKey, name: "Old notebook" });
  const status = async () => (await fetch(`${portal.baseUrl}/key`, { headers: { Authorization: `Bearer ${key}` } })).status;
  const page = await chromium.open(`${portal.origin}/keys`, { cookie });
  await page.waitForSelector("[aria-label='Revoke Old notebook']");
  await page.focus("[aria-label='Revoke Old notebook']");
  await page.keyboard.press("Enter");
  await page.waitForSelector("[role=alertdialog]");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=alertdialog]", { hidden: true });
  expect(await status()).toBe(200);

  await page.locator("[aria-label='Revoke Old notebook']").click();
  await page.locator("[role=alertdialog] ::-p-text(Revoke key)").click();
  await page.waitForSelector("summary ::-p-text(Ended keys)");
  expect(await status()).toBe(401);
  expect(await page.$("[aria-label='Revoke Old notebook']")).toBeNull();
});

test("lists and revokes keys while the browser says that it is offline", async ({ portal, chromium }) => {
  const page = await chromium.open(portal.origin, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(Nothing has arrived yet)");
  await page.evaluate(() => globalThis.dispatchEvent(new Event("offline")));
  await page.locator("nav a[href='/keys']").click();
  await page.locator("[aria-label='Revoke first key']").click();
  await page.locator("[role=alertdialog] ::-p-text(Revoke key)").click();
  await page.waitForSelector("summary ::-p-text(Ended keys)");
});

test("lists no key, and keys with long names on a narrow screen", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const page = await chromium.open(`${portal.origin}/keys`, { cookie, width: 360, height: 780 });
  await page.locator("[aria-label='Revoke first key']").click();
  await page.locator("[role=alertdialog] ::-p-text(Revoke key)").click();
  await page.waitForFunction(() => document.querySelector("summary")?.textContent === "Ended keys1");
  await page.waitForSelector("::-p-text(No key works at the moment)");
  expect(await accessibilityProblems(page)).toEqual([]);

  for (let at = 0; at < 4; at++)
    await askPortal(portal, cookie, "keys.create", { ...newKey, name: `Program ${at} with a name that is longer than the screen is wide` });
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll("main [aria-label^='Revoke Program']").length === 4);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await accessibilityProblems(page)).toEqual([]);
});
