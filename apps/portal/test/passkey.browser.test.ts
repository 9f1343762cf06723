import type { OwnPortal, PlainBrowser } from "@periscope/harness/portal";
import type { Page } from "puppeteer-core";
import { expect } from "vitest";
import { test } from "./portal-test.ts";

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

/** A page that the person is signed in at, with an authenticator. */
async function openPortal(
  { portal, chromium }: { portal: OwnPortal; chromium: PlainBrowser },
  { verifiesPerson }: { verifiesPerson: boolean },
) {
  // Browsers know passkeys of host names only.
  const page = await chromium.open(`${portal.origin.replace("127.0.0.1", "localhost")}/sign-in`, { cookie: portal.cookie });
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
  return page;
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

test("adds a passkey and signs in with it, once for each challenge", async ({ portal, chromium }) => {
  const page = await openPortal({ portal, chromium }, { verifiesPerson: true });
  expect((await addPasskey(page)).status).toBe(200);
  expect((await ask(page, "auth/passkey/list-user-passkeys")).data).toMatchObject([{ name: "My laptop" }]);
  await ask(page, "trpc/session.signOut", {});
  expect((await ask(page, "trpc/session.me")).data).toEqual({ result: { data: null } });
  const { response, answer } = await signInByPasskey(page);
  expect(answer.status).toBe(200);
  expect((await ask(page, "trpc/session.me")).data).toMatchObject({ email: portal.person.email, isOwner: false });
  await ask(page, "trpc/session.signOut", {});
  expect((await ask(page, "auth/passkey/verify-authentication", { response })).status).toBe(400);
});

test("refuses a passkey that does not ask who the person is", async ({ portal, chromium }) => {
  const page = await openPortal({ portal, chromium }, { verifiesPerson: false });
  const asked = { authenticatorSelection: { residentKey: "required", userVerification: "discouraged" } };
  const added = await addPasskey(page, asked);
  expect(added.status).toBe(200);
  await ask(page, "trpc/session.signOut", {});
  // Such a device shows a passkey only to who names it.
  const allowCredentials = [{ type: "public-key", id: added.data.credentialID }];
  expect((await signInByPasskey(page, { allowCredentials })).answer.status).toBe(401);
  expect((await ask(page, "trpc/session.me")).data).toEqual({ result: { data: null } });
});
