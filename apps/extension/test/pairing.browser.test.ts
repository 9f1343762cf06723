import { accessibilityProblems } from "@periscope/harness/accessibility";
import { freePort } from "@periscope/harness/free-port";
import { createOwner, owner, startPortal } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { type Chromium, startChromium } from "../build/chromium.ts";
import { has } from "./extension-page.ts";
import { keeper, startSite } from "./local-site.ts";

test("connects once the person approves it in the portal, and can be asked again", async () => {
  await using server = await startPortal();
  await createOwner(server);
  await using site = await startSite({ "/keeper": keeper });
  await using chromium = await startChromium();
  const { origin } = server;
  const welcome = await agree(chromium);
  await connect(welcome, origin);
  const closed = await chromium.openedPage(origin);
  await closed.close();
  await has(welcome, "connection", "was not approved");

  // A tab that has a history cannot close itself.
  await connect(welcome, origin);
  const cancelled = await chromium.openedPage(origin);
  await signIn(cancelled);
  await cancelled.locator("::-p-aria([name='Cancel'])").click();
  await welcome.bringToFront();
  await has(welcome, "connection", "was not approved");
  await expect.poll(() => cancelled.isClosed()).toBe(true);

  await connect(welcome, origin);
  const pairing = await chromium.openedPage(origin);
  await pairing.waitForSelector("[name=delete]");
  expect(await accessibilityProblems(pairing)).toEqual([]);
  await pairing.locator("[name=delete]").click();
  await pairing.locator("[type=submit]").click();
  await welcome.waitForSelector("#step-ready:not([hidden])");
  await expect.poll(() => pairing.isClosed()).toBe(true);
  const page = await chromium.newPage();
  await page.goto(`${site.url}/keeper`);
  await welcome.bringToFront();
  await has(welcome, "first-title", "The keeper of the lighthouse");
});

test("connects under another name of the server, and keeps a key that was not tried", async () => {
  const port = String(await freePort());
  await using server = await startPortal({ environment: { PUBLIC_URL: "https://periscope.example", PORT: port } });
  const origin = `http://localhost:${port}`;
  await createOwner({ ...server, origin });
  await using chromium = await startChromium();
  const welcome = await agree(chromium);
  // From the moment of the approval, the server cannot be reached any more.
  let isCut = false;
  await welcome.setRequestInterception(true);
  welcome.on("request", (request) => void (isCut && request.url().endsWith("/api/v1/key") ? request.abort() : request.continue()));
  await connect(welcome, origin);
  const pairing = await chromium.openedPage(origin);
  await signIn(pairing);
  isCut = true;
  await pairing.locator("[type=submit]").click();
  await welcome.waitForSelector("#step-ready:not([hidden])");
  const { settings, key } = await welcome.evaluate(() => chrome.storage.local.get<Record<string, any>>(["settings", "key"]));
  expect(settings).toMatchObject({ server: `${origin}/api/v1`, account: `${origin}/api/v1 ${server.userId}` });
  const answer = await fetch(`${origin}/api/v1/key`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await answer.json()).toMatchObject({ userId: server.userId, scopes: ["read", "write", "delete"] });
});

test("says what to do when the extension's page was closed before the approval", async () => {
  await using server = await startPortal();
  await createOwner(server);
  await using chromium = await startChromium();
  const { origin } = server;
  const welcome = await agree(chromium);
  await connect(welcome, origin);
  const pairing = await chromium.openedPage(origin);
  await signIn(pairing);
  await welcome.close();
  await pairing.locator("[type=submit]").click();
  await pairing.waitForSelector("::-p-text(Open the options of the extension and press Connect again)");
  expect(await accessibilityProblems(pairing)).toEqual([]);
  await pairing.close();
  const options = await chromium.open("options.html");
  await connect(options, origin);
  const again = await chromium.openedPage(origin);
  await again.locator("[type=submit]").click();
  await options.bringToFront();
  await has(options, "connection", "Connected with the key “Chrome on Linux”.");
});

/** The page of the extension that opens after the installation, once the person has agreed to be recorded. */
async function agree(chromium: Chromium): Promise<Page> {
  const welcome = await chromium.openedPage("/welcome.html");
  await welcome.bringToFront();
  await welcome.locator("#agree").click();
  await welcome.waitForSelector("#step-connect:not([hidden])");
  return welcome;
}

/** Presses Connect, for the server at `origin`. */
async function connect(page: Page, origin: string): Promise<void> {
  await page.bringToFront();
  await page.$eval("#address", (input, address) => ((input as HTMLInputElement).value = address), origin);
  await page.locator("#save").click();
}

async function signIn(page: Page): Promise<void> {
  for (const name of ["email", "password"] as const) await page.locator(`[name=${name}]`).fill(owner[name]);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("[name=delete]");
}
