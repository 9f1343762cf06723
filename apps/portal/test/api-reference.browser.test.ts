import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

test("shows the reference, fills in a new key on demand, and asks no other host", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  const asked = new Set<string>();
  const complaints: string[] = [];
  page.on("request", (request) => void (request.url().startsWith("http") && asked.add(new URL(request.url()).origin)));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  await page.goto(`${portal.origin}/api`);
  const frame = await page.waitForSelector("iframe").then((element) => element?.contentFrame());
  await frame?.waitForSelector("::-p-text(Authentication)");
  const keysBefore = await listKeys();

  await page.waitForSelector("::-p-aria([name='Fill in a key'][role='button']):not(:disabled)");
  await page.locator("::-p-aria([name='Fill in a key'][role='button'])").click();
  await page.waitForSelector("::-p-text(Key filled in)");
  const tokens = () => frame?.$$eval("input", (fields) => fields.map(({ value }) => value).filter((value) => value.startsWith("psk_")));
  await expect.poll(tokens).toHaveLength(1);
  const [token = ""] = (await tokens()) ?? [];
  const response = await fetch(`${portal.baseUrl}/key`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await response.json()).toMatchObject({ name: "API reference", scopes: ["read"] });
  expect(await listKeys()).toHaveLength(keysBefore.length + 1);
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href]));
  expect(stored).not.toContain(token.slice(-20));
  expect([...asked]).toEqual([portal.origin]);
  expect(complaints).toEqual([]);

  async function listKeys(): Promise<string[]> {
    return await page.evaluate(async () => {
      const answer = (await (await fetch("/portal/trpc/keys.list")).json()) as { result: { data: Array<{ keyId: string }> } };
      return answer.result.data.map(({ keyId }) => keyId);
    });
  }
});

test("is accessible around the reference, and fits a narrow screen", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/api`, { cookie: portal.cookie, width: 360, height: 780 });
  await page.waitForSelector("iframe");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("gives the reference the theme of the page, also when it changes", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  const themes = [];
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await page.goto(`${portal.origin}/api`);
  const frame = await page.waitForSelector("iframe").then((element) => element?.contentFrame());
  await frame?.waitForSelector("body.dark-mode ::-p-text(Authentication)");
  await page.waitForSelector("::-p-aria([name='Fill in a key'][role='button']):not(:disabled)");
  await page.locator("::-p-aria([name='Fill in a key'][role='button'])").click();
  await page.waitForSelector("::-p-text(Key filled in)");
  for (const theme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await frame?.waitForSelector(`body.${theme}-mode:not(.${theme === "light" ? "dark" : "light"}-mode)`);
    themes.push(await frame?.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(new Set(themes).size).toBe(2);
  // Its own switch would win over the page from then on.
  expect(await frame?.$$("[aria-label*='dark mode' i], .darklight-reference button")).toHaveLength(0);
});
