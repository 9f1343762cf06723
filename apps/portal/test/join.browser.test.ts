import { startIdentityProvider } from "@periscope/harness/identity-provider";
import { createOwner, owner, type PlainBrowser, startBrowser, startPortal } from "@periscope/harness/portal";
import { Periscope } from "@periscope/client";
import { expect, test } from "vitest";
import { sendPages } from "./contexts.ts";

const grace = { name: "Grace", email: "grace@example.org", password: "another battery staple" };

/** A server that signs people in by a provider of its own. */
async function startBoth(signUp: string) {
  const stack = new AsyncDisposableStack();
  const idp = stack.use(await startIdentityProvider());
  const { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET } = idp;
  const environment = { SIGN_UP: signUp, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET };
  const portal = stack.use(await startPortal({ environment }));
  idp.redirectTo = `${portal.origin}/portal/auth/callback/oidc`;
  return { portal, idp, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("lets an invited person in, once, who sees only what is theirs", async () => {
  await using portal = await startPortal({ environment: { SIGN_UP: "invite" } });
  await using chromium = await startBrowser();
  const cookie = await createOwner(portal);
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
});

test("signs in by the identity provider, and goes on to the page that was wanted", async () => {
  await using both = await startBoth("open");
  const { portal } = both;
  await createOwner(portal);
  await using chromium = await startBrowser();
  const page = await chromium.open(`${portal.origin}/explore?kind=page`);
  await signInByProvider(page);
  await page.waitForSelector("button[aria-label='Account of Ada at work']");
  await page.waitForSelector("#explore-query");
  expect(page.url()).toBe(`${portal.origin}/explore?kind=page`);
});

test("connects an account with the identity provider, which then signs its person in", async () => {
  await using both = await startBoth("closed");
  const { portal } = both;
  const cookie = await createOwner(portal);
  await using chromium = await startBrowser();
  const stranger = await chromium.open(`${portal.origin}/sign-in`);
  await signInByProvider(stranger);
  await stranger.waitForSelector("[role=alert] ::-p-text(did not let you in)");

  const page = await chromium.open(`${portal.origin}/account`, { cookie });
  await page.locator("main ::-p-aria([name='Connect'][role='button'])").click();
  await page.waitForSelector("::-p-text(It can sign you in.)");
  await signInByProvider(stranger);
  await stranger.waitForSelector(`button[aria-label='Account of ${owner.name}']`);
  expect(new URL(stranger.url()).pathname).toBe("/");
});

test("signs in by the provider at the public address, and names it for the extension", async () => {
  await using both = await startBoth("open");
  const { portal } = both;
  await createOwner(portal);
  await using chromium = await startBrowser();
  const local = portal.origin.replace("127.0.0.1", "localhost");
  const asked = { challenge: "a".repeat(43), origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", name: "Chrome", server: local };
  const page = await chromium.open(`${local}/pair?${new URLSearchParams(asked).toString()}`);
  await signInByProvider(page);
  await page.waitForFunction((origin) => location.origin === origin, {}, portal.origin);
  await signInByProvider(page);
  await page.waitForSelector(`[role=alert] ::-p-text(Enter ${portal.origin} as the address in the extension)`);
  expect(await page.$("[type=submit]")).toBeNull();
});

type Page = Awaited<ReturnType<PlainBrowser["open"]>>;

async function signInByProvider(page: Page): Promise<void> {
  await page.locator("::-p-text(Use your organization’s sign-in)").click();
}
