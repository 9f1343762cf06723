import { createHash } from "node:crypto";
import { accessibilityProblems } from "@periscope/harness/accessibility";
import { addPerson, type Portal } from "@periscope/harness/portal";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

const verifier = "v".repeat(43);

/** A registered program, and the address that it opens in the browser. */
async function register({ origin }: Portal, changes: Record<string, string> = {}) {
  const callback = `${origin}/explore`;
  const body = JSON.stringify({ client_name: "Notebook <b>of</b> Ada", redirect_uris: [callback] });
  const headers = { "Content-Type": "application/json" };
  const registered = await fetch(`${origin}/oauth/register`, { method: "POST", headers, body });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: callback,
    scope: "read delete",
    // Text, though it looks like a number.
    state: "12345678901234567890",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    ...changes,
  });
  return { clientId: client_id, callback, address: `${origin}/authorize?${query.toString()}` };
}

test("signs in, names the program, and takes the answer to it with what was chosen", async ({ portal, chromium }) => {
  const { address, callback, clientId } = await register(portal);
  const page = await chromium.open(address, { width: 360, height: 800 });
  await page.locator("input[name=email]").fill(portal.person.email);
  await page.locator("input[name=password]").fill(portal.person.password);
  await page.locator("button[type=submit]").click();
  await page.waitForSelector("::-p-text(What it may do)");
  expect(await page.$eval("main", (main) => main.innerText)).toContain(
    `Notebook <b>of</b> Ada, and the answer goes to ${new URL(callback).host}`,
  );
  expect(await page.$$eval("input[type=checkbox]", (boxes) => boxes.map((box) => box.checked))).toEqual([true, false]);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.select("select", "public");
  const answered = page.waitForRequest((request) => request.url().startsWith(`${callback}?`));
  await page.locator("button ::-p-text(Connect)").click();
  const { searchParams } = new URL((await answered).url());
  expect(Object.fromEntries(searchParams)).toMatchObject({ state: "12345678901234567890", iss: portal.origin });

  const code = searchParams.get("code") ?? "";
  const body = new URLSearchParams({ grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier });
  const answer = await fetch(`${portal.origin}/oauth/token`, { method: "POST", body });
  expect(await answer.json()).toMatchObject({ scope: "read", token_type: "Bearer" });
});

test("connects nothing for a person who signed in long after the page named another", async ({ server, portal, chromium }) => {
  const other = await addPerson(server, server.cookie);
  const asked = { challenge: "a".repeat(43), origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop", name: "Chrome" };
  const addresses = [(await register(portal)).address, `${portal.origin}/pair?${new URLSearchParams(asked).toString()}`];
  for (const address of addresses) {
    const page = await chromium.open(`${portal.origin}/sign-in`, { cookie: portal.cookie });
    await page.evaluateOnNewDocument(passLongWaits);
    await page.goto(address);
    await page.waitForSelector(`::-p-text(${portal.person.email})`);
    const [name = "", value = ""] = other.cookie.split(/=(.*)/s);
    await page.browserContext().setCookie({ name, value, domain: new URL(address).hostname, path: "/", httpOnly: true });
    await page.locator("button ::-p-text(Connect)").click();
    await page.waitForSelector(`::-p-text(${other.person.email})`);
    expect(new URL(page.url()).pathname).toBe(new URL(address).pathname);
  }
});

/** Runs in the page: what is to happen in minutes happens at once. */
function passLongWaits(): void {
  const later = setTimeout;
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0, ...given: unknown[]) => later(run, ms > 60_000 ? 0 : ms, ...given),
  });
}

test("takes a refusal back, and says what a program did wrong", async ({ portal, chromium }) => {
  const { cookie } = portal;
  const { address, callback } = await register(portal);
  const page = await chromium.open(address, { cookie });
  const refused = page.waitForRequest((request) => request.url().startsWith(`${callback}?error=access_denied`));
  await page.locator("button ::-p-text(Refuse)").click();
  await refused;

  const faulty = await chromium.open((await register(portal, { code_challenge_method: "plain" })).address, { cookie });
  await faulty.waitForSelector("[role=alert] ::-p-text(code_challenge_method S256)");
  expect(await accessibilityProblems(faulty)).toEqual([]);
  const elsewhere = await chromium.open((await register(portal, { redirect_uri: "https://attacker.example/" })).address, { cookie });
  await elsewhere.waitForSelector("[role=alert] ::-p-text(did not register the address)");
  expect(elsewhere.url()).toContain(portal.origin);
});

test("stands in no frame of another page", async ({ portal }) => {
  const response = await fetch((await register(portal)).address);
  expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});
