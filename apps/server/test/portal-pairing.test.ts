import { createHash, createHmac, randomBytes } from "node:crypto";
import { expect } from "vitest";
import { PortalClient } from "./portal-client.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop";
const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");
const request = { challenge, origin, name: "Chrome on Linux", scopes: ["write", "read"] };

/** Exchanges a code as the extension does. */
async function exchange(browser: PortalClient, body: object, from: string | null = origin) {
  const answer = await new PortalClient(browser.server).send("POST", "/portal/pair", body, { Origin: from ?? undefined });
  return { status: answer.status, ...((await answer.json()) as { apiKey?: string; error?: string }) };
}

async function codeFor(browser: PortalClient, wanted: object = request): Promise<string> {
  const { data } = await browser.mutate("pairing.approve", wanted);
  return (data as { code: string }).code;
}

test("gives an extension a key of the scopes that its person agreed to, once", async ({ server }) => {
  const { browser, userId } = await PortalClient.owner(server, ada);
  const code = await codeFor(browser);
  const { apiKey, ...answer } = await exchange(browser, { code, verifier });
  expect(apiKey).toMatch(/^psk_/);
  expect(answer).toEqual({ status: 200, userId, name: "Chrome on Linux", scopes: ["read", "write"] });
  const about = await fetch(`${server.baseUrl}/key`, { headers: { Authorization: `Bearer ${apiKey}` } });
  expect(await about.json()).toMatchObject({ userId, name: "Chrome on Linux", scopes: ["read", "write"] });
  expect(await exchange(browser, { code, verifier })).toMatchObject({ status: 403, error: "forbidden" });
});

test("gives one key to several exchanges of a code at once", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const code = await codeFor(browser);
  const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(browser, { code, verifier })));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 403, 403, 403]);
});

test("refuses a code that is changed, older than two minutes or of another origin", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const code = await codeFor(browser);
  const [content = "", signature = ""] = code.split(".");
  const forged = Buffer.from(JSON.stringify({ ...request, keyId: "k", userId: "usr_x", expiresAt: 8e15 })).toString("base64url");
  for (const refused of [
    await exchange(browser, { code, verifier: randomBytes(32).toString("base64url") }),
    await exchange(browser, { code, verifier }, "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba"),
    await exchange(browser, { code, verifier }, null),
    await exchange(browser, { code, verifier }, browser.origin),
    await exchange(browser, { code: `${forged}.${signature}`, verifier }),
    await exchange(browser, { code: content, verifier }),
    await exchange(browser, { code: `${content}.${"é".repeat(signature.length)}`, verifier }),
    await exchange(browser, {}),
  ])
    expect(refused).toMatchObject({ status: 403, error: "forbidden" });
  server.clock.aheadMs += 120_000;
  expect(await exchange(browser, { code, verifier })).toMatchObject({ status: 403 });
});

test("refuses a code that a copy of the database has made where SESSION_SECRET is set", async () => {
  await using server = await TestServer.start({ sessionSecret: "s".repeat(32) });
  const { browser } = await PortalClient.owner(server, ada);
  const code = await codeFor(browser);
  const [content = ""] = code.split(".");
  const secrets = await server.rows<{ value: string }>("SELECT value FROM auth_secrets");
  for (const secret of [...secrets.map(({ value }) => value), ""]) {
    const signature = createHmac("sha256", secret).update(content).digest("base64url");
    expect(await exchange(browser, { code: `${content}.${signature}`, verifier })).toMatchObject({ status: 403 });
  }
  expect(await exchange(browser, { code, verifier })).toMatchObject({ status: 200 });
});

test("gives no code to a stranger, for an origin of a web page, or without a challenge", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  expect(await new PortalClient(server).mutate("pairing.approve", request)).toMatchObject({ status: 401 });
  expect(await browser.mutate("pairing.approve", { ...request, origin: "https://evil.example" })).toMatchObject({ status: 400 });
  expect(await browser.mutate("pairing.approve", { ...request, challenge: "" })).toMatchObject({ status: 400 });
  const elsewhere = await browser.send("POST", "/portal/trpc/pairing.approve", request, { Origin: origin });
  expect(elsewhere.status).toBe(403);
});

test("makes no key for a person who was erased after they agreed", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const code = await codeFor(browser);
  await browser.erase({ confirm: ada.email });
  expect(await exchange(browser, { code, verifier })).toMatchObject({ status: 403 });
});
