import { expect } from "vitest";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const owner = { name: "Ada", email: "Ada@example.org", password: "correct horse battery" };
const grace = { name: "Grace", email: "grace@example.org", password: "staple battery horse" };

test("signs in with a password, and out", async ({ server }) => {
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  expect(await browser.signIn({ email: "nobody@example.org", password: owner.password })).toMatchObject({ status: 401 });
  expect(await browser.signIn({ email: owner.email, password: "wrong password" })).toMatchObject({ status: 401 });
  expect(await browser.signIn(owner)).toMatchObject({ status: 200 });
  expect(await browser.query("session.me")).toMatchObject({ data: { email: "ada@example.org" } });
  const cookie = browser.cookie;
  expect(await browser.mutate("session.signOut")).toMatchObject({ status: 200 });
  expect(browser.cookie).toBe("");
  browser.cookie = cookie;
  expect(await browser.query("session.me")).toEqual({ status: 200, data: null });
});

test.for([null, "https://memory.example"])(
  "makes invites for PUBLIC_URL %s, or for where the page is open",
  async (publicUrl, { expect }) => {
    await using server = await TestServer.start({ signUp: "invite", publicUrl });
    const { browser } = await PortalClient.owner(server, owner);
    const open = server.address.replace("127.0.0.1", "localhost");
    const page = new PortalClient({ address: open, baseUrl: open });
    page.cookie = browser.cookie;
    const { token, address } = (await page.mutate("people.invite")).data as { token: string; address: string };
    expect(address).toBe(`${publicUrl ?? open}/invite#${token}`);
  },
);

test("lists where a person is signed in, and ends one session, or all others", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const others = [new PortalClient(server), new PortalClient(server), new PortalClient(server)];
  for (const other of others) await other.signIn(owner);
  const list = async () => (await browser.query("account.sessions")).data as { id: string; isThis: boolean; address: string }[];
  const sessions = await list();
  expect(sessions.map(({ isThis, address }) => [isThis, address])).toEqual([
    ...others.map(() => [false, "127.0.0.1"]),
    [true, "127.0.0.1"],
  ]);
  expect(JSON.stringify(sessions)).not.toContain("token");
  expect(await browser.mutate("account.endSession", { id: sessions[0]?.id })).toMatchObject({ status: 200 });
  expect(await others[2]?.query("session.me")).toMatchObject({ data: null });
  expect(await browser.mutate("account.endOtherSessions")).toMatchObject({ data: { ended: 2 } });
  expect(await list()).toHaveLength(1);
});

test("changes the password, and ends all other sessions", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const other = new PortalClient(server);
  await other.signIn(owner);
  const next = "a longer new password";
  expect(await browser.mutate("account.changePassword", { current: "not the password", next })).toMatchObject({ status: 400 });
  expect(await browser.mutate("account.changePassword", { current: owner.password, next: "short" })).toMatchObject({ status: 400 });
  expect(await browser.mutate("account.changePassword", { current: owner.password, next })).toMatchObject({ status: 200 });
  expect(await browser.query("session.me")).toMatchObject({ data: { isOwner: true } });
  expect(await other.query("session.me")).toMatchObject({ data: null });
  expect(await other.signIn(owner)).toMatchObject({ status: 401 });
  expect(await other.signIn({ ...owner, password: next })).toMatchObject({ status: 200 });
});

test("says what to do when a passkey is added later than a day after signing in", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const begin = () => browser.send("GET", "/portal/auth/passkey/generate-register-options");
  expect((await begin()).status).toBe(200);
  const before = Date.now() - 86_500_000;
  await server.rows(`UPDATE auth_sessions SET "createdAt" = ?`, testEngine() === "sqlite" ? before : new Date(before));
  const late = await begin();
  expect([late.status, await late.json()]).toEqual([
    403,
    expect.objectContaining({ error: "forbidden", message: "Sign in again to add a passkey: you signed in more than a day ago." }),
  ]);
  await browser.signIn(owner);
  expect((await begin()).status).toBe(200);
});

test("makes no account but the owner's where sign-up is closed", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  expect(await browser.query("session.options")).toEqual({ status: 200, data: { needsSetup: false, canSignUp: false, hasOidc: false } });
  expect(await browser.mutate("people.invite", {})).toMatchObject({ status: 403 });
  const eve = new PortalClient(server);
  expect(await eve.mutate("invite.signUp", grace)).toMatchObject({ status: 403 });
  expect((await eve.send("POST", "/portal/auth/sign-up/email", grace)).status).toBe(404);
  expect(await server.access.listUsers()).toHaveLength(1);
});

test("open sign-up lets anybody make an account, and does not reveal existing ones", async () => {
  await using server = await TestServer.start({ signUp: "open" });
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  const fresh = await browser.mutate("invite.signUp", grace);
  const taken = await browser.mutate("invite.signUp", { ...owner, password: "another password" });
  expect([fresh.status, taken]).toEqual([200, fresh]);
  expect(await browser.signIn(grace)).toMatchObject({ status: 200 });
  expect(await new PortalClient(server).signIn({ ...owner, password: "another password" })).toMatchObject({ status: 401 });
  expect(await server.access.listUsers()).toHaveLength(2);
});

test("changes a name, and an email address only by the password", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const person = { name: " Ada Lovelace ", email: owner.email, password: "" };
  expect(await browser.mutate("account.changeProfile", person)).toMatchObject({ status: 200 });
  expect(await browser.query("session.me")).toMatchObject({ data: { name: "Ada Lovelace", email: "ada@example.org" } });
  const moved = { ...person, email: "Lovelace@example.org" };
  expect(await browser.mutate("account.changeProfile", { ...moved, password: "wrong password" })).toMatchObject({ status: 400 });
  expect(await browser.mutate("account.changeProfile", { ...moved, email: "nothing", password: owner.password })).toMatchObject({
    status: 400,
  });
  expect(await browser.query("session.me")).toMatchObject({ data: { email: "ada@example.org" } });
  expect(await browser.mutate("account.changeProfile", { ...moved, password: owner.password })).toMatchObject({ status: 200 });
  expect(await new PortalClient(server).signIn({ ...owner, email: "lovelace@example.org" })).toMatchObject({ status: 200 });
  expect(await new PortalClient(server).signIn(owner)).toMatchObject({ status: 401 });
});
