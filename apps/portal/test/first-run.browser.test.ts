import { accessibilityProblems } from "@periscope/harness/accessibility";
import { createOwner, owner, startPortal } from "@periscope/harness/portal";
import { expect, vi } from "vitest";
import { isOwnPath } from "../src/own-path.ts";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

test("leads from the printed address to the first page, and marks each step", async ({ chromium }) => {
  await using portal = await startPortal();
  const page = await chromium.open(portal.setupUrl);
  await page.waitForSelector("[name=name]");
  expect(page.url()).toBe(`${portal.origin}/setup`);
  expect(await accessibilityProblems(page)).toEqual([]);
  for (const [name, text] of Object.entries(owner)) await page.locator(`[name=${name}]`).fill(text);
  await page.locator("[type=submit]").click();
  const key = await page.waitForSelector("[data-key]").then((element) => element?.evaluate((code) => code.textContent));
  expect(key).toMatch(/^psk_/);
  expect(await accessibilityProblems(page)).toEqual([]);

  const done = () => page.$$eval("[data-done]", (marks) => marks.map((mark) => mark.getAttribute("data-done") === "true"));
  expect(await done()).toEqual([false, false, false]);
  await sendPages(portal, [{ id: "keeper", title: "The keeper" }]);
  await expect.poll(done).toEqual([true, false, false]);
  const headers = { Authorization: `Bearer ${key}` };
  await fetch(`${portal.baseUrl}/context/current`, { headers });
  await expect.poll(done).toEqual([true, false, true]);
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  };
  await fetch(`${portal.origin}/mcp`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify(initialize),
  });
  await expect.poll(done).toEqual([true, true, true]);

  await page.locator("a[href='/']").click();
  await page.waitForSelector("::-p-text(You are looking at)");
  // Accounts are closed at first.
  await page.goto(`${portal.origin}/people`);
  await page.waitForSelector("::-p-text(Set SIGN_UP=invite)");
  expect(await page.$("[name=note]")).toBeNull();
});

test("says that a setup address was used", async ({ chromium, portal }) => {
  const page = await chromium.open(`${portal.origin}/setup#wrong`);
  await page.waitForSelector("::-p-text(was used or has expired)");
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("takes the right setup address, entered in the tab that refused another one", async ({ chromium }) => {
  await using portal = await startPortal();
  const page = await chromium.open(`${portal.origin}/setup#wrong`);
  await page.waitForSelector("::-p-text(was used or has expired)");
  await page.goto(portal.setupUrl);
  await page.waitForSelector("[name=name]");
  expect(page.url()).toBe(`${portal.origin}/setup`);
});

test("signs out, asks who it is, and goes on to the page that was wanted", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const page = await chromium.open(`${portal.origin}/explore?type=page`, { cookie });
  await page.locator("button[aria-label='Account of Ada']").click();
  await page.locator("::-p-aria([name='Sign out'])").click();
  await page.waitForSelector("[name=password]");
  expect(await accessibilityProblems(page)).toEqual([]);

  await page.goto(`${portal.origin}/explore?type=page`);
  await page.locator("[name=email]").fill(portal.person.email);
  await page.locator("[name=password]").fill("not the password");
  await page.locator("[type=submit]").click();
  await page.waitForSelector("[role=alert] ::-p-text(is wrong)");
  await page.locator("[name=password]").fill(portal.person.password);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("#explore-query");
  expect(page.url()).toBe(`${portal.origin}/explore?type=page`);
});

test("says that there is no such page to a person, and that nothing is there to a program", async ({ portal, chromium }) => {
  const page = await chromium.open(portal.origin, { cookie: portal.cookie });
  const response = await page.goto(`${portal.origin}/no/such-page`);
  await page.waitForSelector("main ::-p-text(There is no such page)");
  expect(response?.status()).toBe(404);
  const answer = await fetch(`${portal.origin}/no/such-page`);
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: "not_found" }]);
});

test("loads a page again when Try again is pressed", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
  let isCut = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (isCut && request.url().endsWith("/session.me") ? request.abort() : request.continue()));
  await page.goto(`${portal.origin}/keys`);
  await page.waitForSelector("[role=alert] ::-p-text(The server did not answer)");
  isCut = false;
  await page.locator("[role=alert] button").click();
  await page.waitForSelector("li ::-p-text(first key)");
});

test("leads to no other site after the sign-in", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/sign-in?to=https://evil.example/`);
  await page.locator("[name=email]").fill(portal.person.email);
  await page.locator("[name=password]").fill(portal.person.password);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("::-p-text(Recent pages)");
  expect(page.url()).toBe(`${portal.origin}/`);
});

test.for([
  ["/explore?type=page", true],
  ["https://evil.example/", false],
  ["//evil.example", false],
  ["/\\evil.example", false],
  ["javascript:alert(1)", false],
] as const)("tells a path of its own from another site: %s", ([address, isOwn]) => {
  vi.stubGlobal("location", { origin: "https://periscope.example" });
  expect(isOwnPath(address)).toBe(isOwn);
});

test("lets a person in by an invite, once, and anybody where the server is open", async ({ chromium }) => {
  await using portal = await startPortal({ environment: { SIGN_UP: "open" } });
  await createOwner(portal);
  const used = await chromium.open(`${portal.origin}/invite#wrong`);
  await used.waitForSelector("::-p-text(was used or has expired)");
  const page = await chromium.open(`${portal.origin}/sign-in`);
  await page.locator("::-p-text(Create an account)").click();
  const grace = { name: "Grace", email: "grace@example.org", password: "another battery staple" };
  for (const [name, text] of Object.entries(grace)) await page.locator(`[name=${name}]`).fill(text);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[type=submit]").click();
  // The page before it has such fields, too.
  await page.waitForSelector("h1 ::-p-text(Sign in to Periscope)");
  await page.waitForSelector("::-p-text(Now sign in with your new account.)");
  await page.locator("[name=email]").fill(grace.email);
  await page.locator("[name=password]").fill(grace.password);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("button[aria-label='Account of Grace']");
});
