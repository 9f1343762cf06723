import { startServer } from "@periscope/harness/server";
import puppeteer, { type Page } from "puppeteer-core";
import { expect, test } from "vitest";

const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** What a page of the portal does for a passkey. Each function runs in the page. */
const inPage = {
  async request(path: string, body?: unknown): Promise<{ status: number; data: any }> {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
    const res = await fetch(`/portal/${path}`, init);
    const data = (await res.json()) as { result?: { data?: unknown } };
    return { status: res.status, data: data.result?.data ?? data };
  },
  async create(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON();
  },
  async get(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON();
  },
};

/** A Chromium at the sign-in page of a server of its own, signed in as the owner, with an authenticator. */
async function openPortal({ verifiesPerson }: { verifiesPerson: boolean }) {
  const stack = new AsyncDisposableStack();
  let printed = "";
  const server = stack.use(await startServer({ onOutput: (text) => void (printed += text) }));
  const browser = stack.adopt(
    await puppeteer.launch({ executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium", args: ["--no-sandbox"] }),
    (each) => each.close(),
  );
  const page = await browser.newPage();
  // Browsers know passkeys of host names only.
  await page.goto(`http://localhost:${new URL(server.baseUrl).port}/sign-in`);
  const devtools = await page.createCDPSession();
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: verifiesPerson,
      isUserVerified: verifiesPerson,
      automaticPresenceSimulation: true,
    },
  });
  const token = /\/setup#([\w-]+)/.exec(printed)?.[1];
  expect((await ask(page, "trpc/setup.complete", { token, ...owner })).status).toBe(200);
  return { page, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const ask = (page: Page, path: string, body?: unknown) => page.evaluate(inPage.request, path, body);

/** Adds a passkey to the account that is signed in. */
async function addPasskey(page: Page, asked: object = {}) {
  const { data: options } = await ask(page, "auth/passkey/generate-register-options");
  expect(options).toMatchObject({ rp: { id: "localhost" }, authenticatorSelection: { userVerification: "required" } });
  const response = await page.evaluate(inPage.create, { ...options, ...asked });
  return await ask(page, "auth/passkey/verify-registration", { response, name: "My laptop" });
}

async function signInByPasskey(page: Page, asked: object = {}) {
  const { data: options } = await ask(page, "auth/passkey/generate-authenticate-options");
  const response = await page.evaluate(inPage.get, { ...options, ...asked });
  return { response, answer: await ask(page, "auth/passkey/verify-authentication", { response }) };
}

test("adds a passkey and signs in with it, once for each challenge", async () => {
  await using portal = await openPortal({ verifiesPerson: true });
  const { page } = portal;
  expect((await addPasskey(page)).status).toBe(200);
  expect((await ask(page, "auth/passkey/list-user-passkeys")).data).toMatchObject([{ name: "My laptop" }]);
  await ask(page, "trpc/session.signOut", {});
  expect((await ask(page, "trpc/session.me")).data).toEqual({ result: { data: null } });
  const { response, answer } = await signInByPasskey(page);
  expect(answer.status).toBe(200);
  expect((await ask(page, "trpc/session.me")).data).toMatchObject({ email: owner.email, isOwner: true });
  await ask(page, "trpc/session.signOut", {});
  expect((await ask(page, "auth/passkey/verify-authentication", { response })).status).toBe(400);
});

test("refuses a passkey that does not ask who the person is", async () => {
  await using portal = await openPortal({ verifiesPerson: false });
  const { page } = portal;
  const asked = { authenticatorSelection: { residentKey: "required", userVerification: "discouraged" } };
  const added = await addPasskey(page, asked);
  expect(added.status).toBe(200);
  await ask(page, "trpc/session.signOut", {});
  // Such a device shows a passkey only to who names it.
  const allowCredentials = [{ type: "public-key", id: added.data.credentialID }];
  expect((await signInByPasskey(page, { allowCredentials })).answer.status).toBe(401);
  expect((await ask(page, "trpc/session.me")).data).toEqual({ result: { data: null } });
});
