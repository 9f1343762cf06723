import { owner } from "@periscope/harness/portal";
import { Periscope } from "@periscope/client";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

const adaAtWork = { sub: "ada-at-work", email: "ada@work.example", name: "Ada at work" };
const adaAtHome = { sub: "ada-at-home", email: "ada@home.example", name: "Ada at home" };
const grace = { name: "Grace", email: "grace@example.org", password: "another battery staple" };

test("lets an invited person in once, and shows only their own data", async ({ server: portal, chromium }) => {
  const { cookie } = portal;
  await sendPages(portal, [{ id: "hers", title: "The diary of Ada" }]);
  const people = await chromium.open(`${portal.origin}/people`, { cookie });
  await people.locator("[name=note]").fill("Grace");
  await people.keyboard.press("Enter");
  const address = await people.waitForSelector("[role=status] code").then((code) => code?.evaluate((text) => text.textContent));

  const page = await chromium.open(address ?? "");
  await page.waitForSelector("[name=password]");
  for (const [name, text] of Object.entries(grace)) await page.locator(`[name=${name}]`).fill(text);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("button[aria-label='Account of Grace']");
  expect(await page.$("nav a[href='/people']")).toBeNull();
  await page.goto(`${portal.origin}/keys`);
  await page.locator("::-p-aria([name='New key'][role='button'])").click();
  await page.locator("[role=dialog] [name=name]").fill("notes");
  await page.locator("[role=dialog] ::-p-text(Write)").click();
  await page.locator("[role=dialog] [type=submit]").click();
  const apiKey = await page.waitForSelector("[data-key]").then((code) => code?.evaluate((text) => text.textContent ?? ""));
  const client = new Periscope({ baseUrl: portal.baseUrl, apiKey: apiKey ?? "" });
  await sendPages({ ...portal, client }, [{ id: "own", title: "The diary of Grace" }]);
  await page.goto(`${portal.origin}/explore?query=diary`);
  await page.waitForSelector("main ::-p-text(1 context)");
  await page.waitForSelector("main ::-p-text(The diary of)");
  expect(await page.$eval("main", (main) => main.innerText)).not.toContain("Ada");
  await page.goto(`${portal.origin}/contexts/hers`);
  await page.waitForSelector("::-p-text(This context is not stored)");
  expect(await page.$eval("main", (main) => main.innerText)).not.toContain("The diary of Ada");

  const again = await chromium.open(address ?? "");
  await again.waitForSelector("::-p-text(This invite was used or has expired)");

  await people.reload();
  await people.locator("[aria-label='New password for Grace']").click();
  await people.locator("[role=alertdialog] ::-p-text(Make a new password)").click();
  await people.waitForSelector("[role=status] ::-p-text(New password, shown once)");
  await page.goto(`${portal.origin}/keys`);
  await page.waitForSelector("[name=password]");
});

test("signs in by the identity provider, and goes on to the page that was wanted", async ({ serverWithProvider: portal, chromium }) => {
  portal.idp.person = adaAtWork;
  const page = await chromium.open(`${portal.origin}/explore?query=keep*#main`);
  await signInByProvider(page);
  await page.waitForSelector("button[aria-label='Account of Ada at work']");
  await page.waitForSelector("#explore-query");
  expect(page.url()).toBe(`${portal.origin}/explore?query=keep*`);
});

test("says that a sign-in by the identity provider failed", async ({ serverWithProvider: portal, chromium }) => {
  // What no provider sends.
  const page = await chromium.open(`${portal.origin}/portal/auth/callback/oidc?code=one&code=two`);
  await page.waitForSelector("[role=alert] ::-p-text(sent an invalid answer)");
  expect(new URL(page.url()).pathname).toBe("/sign-in");
});

test("says how to connect an account that has the email address of a sign-in by the provider", async ({
  serverWithProvider: portal,
  chromium,
}) => {
  portal.idp.person = { sub: "ada-elsewhere", email: owner.email, name: owner.name };
  const page = await chromium.open(`${portal.origin}/sign-in`);
  await signInByProvider(page);
  await page.waitForSelector("[role=alert] ::-p-text(then press Connect on the page Account)");
});

test("says that the ways to sign in could not be asked for, and asks again", async ({ serverWithProvider: portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/pair/done`);
  let isCut = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (isCut && request.url().endsWith("/session.options") ? request.abort() : request.continue()));
  await page.goto(`${portal.origin}/sign-in`);
  await page.waitForSelector("[role=alert] ::-p-text(The server did not answer)");
  isCut = false;
  await page.locator("[role=alert] button").click();
  await page.waitForSelector("::-p-text(Use your organization’s sign-in)");
});

test("connects an account with the identity provider, which then signs its person in", async ({ serverWithProvider: portal, chromium }) => {
  portal.idp.person = adaAtHome;
  // Where the server redirects people it does not let in.
  const stranger = await chromium.open(`${portal.origin}/sign-in?error=signup_disabled`);
  await stranger.waitForSelector("[role=alert] ::-p-text(did not let you in)");
  await stranger.goto(`${portal.origin}/sign-in?error=constructor`);
  await stranger.waitForSelector("[role=alert] ::-p-text(sign-in failed. Start again)");

  const page = await chromium.open(`${portal.origin}/account`, { cookie: portal.cookie });
  // What comes above the card moves its button.
  await page.waitForSelector("::-p-text(This one)");
  await page.locator("main ::-p-aria([name='Connect'][role='button'])").click();
  await page.waitForSelector("::-p-text(It can sign you in.)");
  await signInByProvider(stranger);
  await stranger.waitForSelector(`button[aria-label='Account of ${owner.name}']`);
  expect(new URL(stranger.url()).pathname).toBe("/");
});

test("signs in by the provider at the public address, and names it for the extension", async ({ serverWithProvider: portal, chromium }) => {
  portal.idp.person = adaAtWork;
  const local = portal.origin.replace("127.0.0.1", "localhost");
  const asked = { challenge: "a".repeat(43), origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", name: "Chrome", server: local };
  const page = await chromium.open(`${local}/pair?${new URLSearchParams(asked).toString()}`);
  await signInByProvider(page);
  await page.waitForFunction((origin) => location.origin === origin, {}, portal.origin);
  await signInByProvider(page);
  await page.waitForSelector(`[role=alert] ::-p-text(Enter ${portal.origin} as the address in the extension)`);
  expect(await page.$("[type=submit]")).toBeNull();
});

async function signInByProvider(page: Page): Promise<void> {
  await page.locator("::-p-text(Use your organization’s sign-in)").click();
}
