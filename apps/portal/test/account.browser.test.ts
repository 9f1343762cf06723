import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { accessibilityProblems } from "@periscope/harness/accessibility";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

test("changes name, email and password", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin}/account`, { cookie: portal.cookie });
  await page.waitForSelector("::-p-text(This one)");
  await page.type("[name=name]", " Lovelace");
  await page.type("[name=email]", ".uk");
  await page.waitForSelector("[name=password]");
  await page.type("[name=password]", "not the password");
  await page.locator("::-p-aria([name='Save'])").click();
  await page.waitForSelector("[role=alert] ::-p-text(This is not your password)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.$eval("[name=password]", (field) => (field as HTMLInputElement).select());
  await page.type("[name=password]", portal.person.password);
  await page.locator("::-p-aria([name='Save'])").click();
  await page.waitForSelector("[aria-label='Account of Ada Lovelace']");
  await page.waitForSelector("[role=status] ::-p-text(Saved.)");

  await page.type("[name=current]", portal.person.password);
  await page.type("[name=next]", "a better password");
  await page.locator("::-p-aria([name='Change password'])").click();
  await page.waitForSelector("[role=status] ::-p-text(Your password is changed)");

  const second = await chromium.open(`${portal.origin}/sign-in`);
  await second.waitForSelector("[name=email]");
  await second.type("[name=email]", `${portal.person.email}.uk`);
  await second.type("[name=password]", "a better password");
  await second.locator("[type=submit]").click();
  await second.waitForSelector("::-p-text(Recent pages)");

  await page.reload();
  await page.waitForSelector("::-p-text(Sign out everywhere else)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("::-p-text(Sign out everywhere else)").click();
  await page.waitForSelector("::-p-text(Sign out everywhere else)", { hidden: true });
  await second.goto(`${portal.origin}/account`);
  await second.waitForSelector("[name=password]");
  expect(new URL(second.url()).pathname).toBe("/sign-in");
});

test("says what to do at an address that is not the server's", async ({ portal, chromium }) => {
  const page = await chromium.open(`${portal.origin.replace("127.0.0.1", "portal.localhost")}/sign-in`);
  await page.waitForSelector("[name=email]");
  await page.type("[name=email]", portal.person.email);
  await page.type("[name=password]", portal.person.password);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("::-p-text(set PUBLIC_URL)");
});

test("adds a passkey, signs in by it, and removes it after asking once", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const page = await chromium.open(`${portal.origin}/account`, { cookie });
  await page.waitForSelector("::-p-text(Browsers make no passkeys for an IP address)");
  expect(await page.$("::-p-text(Add a passkey)")).toBeNull();
  const signIn = await chromium.open(`${portal.origin}/sign-in`);
  await signIn.waitForSelector("[name=email]");
  expect(await signIn.$("::-p-text(Use a passkey)")).toBeNull();

  const local = portal.origin.replace("127.0.0.1", "localhost");
  const named = await chromium.open(`${local}/account`, { cookie });
  const cdp = await named.createCDPSession();
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
  } as const;
  await cdp.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, automaticPresenceSimulation: true } });
  // What comes above the card moves its button.
  await named.waitForSelector("::-p-text(This one)");
  await named.locator("::-p-text(Add a passkey)").click();
  await named.waitForSelector("[aria-label^='Remove Chrome']");
  expect(await accessibilityProblems(named)).toEqual([]);

  await named.locator("button[aria-label='Account of Ada']").click();
  await named.locator("::-p-aria([name='Sign out'])").click();
  await named.locator("::-p-text(Use a passkey)").click();
  await named.waitForSelector("::-p-text(Recent pages)");
  expect(new URL(named.url()).pathname).toBe("/");

  await named.goto(`${local}/account`);
  await named.waitForSelector("::-p-text(This one)");
  await named.locator("[aria-label^='Remove Chrome']").click();
  await named.locator("[role=alertdialog] ::-p-text(Remove passkey)").click();
  await named.waitForSelector("[aria-label^='Remove Chrome']", { hidden: true });
});

test("leads to a new sign-in when a passkey is added a day after the last one", async ({ portal, chromium }) => {
  using database = new DatabaseSync(join(portal.dataDir, "periscope.db"));
  database.exec("PRAGMA busy_timeout = 60000");
  database.prepare("UPDATE auth_sessions SET createdAt = createdAt - 86500000 WHERE userId = ?").run(portal.userId);
  const page = await chromium.open(`${portal.origin.replace("127.0.0.1", "localhost")}/account`, { cookie: portal.cookie });
  // What comes above the card moves its button.
  await page.waitForSelector("::-p-text(This one)");
  await page.locator("::-p-text(Add a passkey)").click();
  await page.waitForSelector("[role=alert] ::-p-text(Sign in again to add a passkey)");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("::-p-aria([name='Sign in again'][role='button'])").click();
  // The account page has such fields, too.
  await page.waitForSelector("h1 ::-p-text(Sign in to Periscope)");
  await page.locator("[name=email]").fill(portal.person.email);
  await page.locator("[name=password]").fill(portal.person.password);
  await page.locator("[type=submit]").click();
  await page.waitForSelector("::-p-text(This one)");
  expect(new URL(page.url()).pathname).toBe("/account");
});

test("stays signed in, and says so, when the sign-out does not reach the server", async ({ portal, chromium }) => {
  const page = await chromium.open(portal.origin, { cookie: portal.cookie });
  let isCut = true;
  await page.setRequestInterception(true);
  page.on("request", (request) => void (isCut && request.url().endsWith("/session.signOut") ? request.abort() : request.continue()));
  await page.locator("[aria-label^='Account of']").click();
  await page.locator("[role=menuitem] ::-p-text(Sign out)").click();
  await page.waitForSelector("[role=alert] ::-p-text(The server did not answer)");
  expect(await accessibilityProblems(page)).toEqual([]);
  isCut = false;
  await page.locator("[role=alert] button").click();
  await page.waitForSelector("[name=password]");
});
