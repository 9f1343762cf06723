import { startIdentityProvider } from "@periscope/harness/identity-provider";
import { expect, test } from "vitest";
import { startLogged, visit } from "./oidc-sign-in.js";
import { PortalClient } from "./portal-client.js";
import { refuseInserts } from "./test-database.js";
import { TestServer } from "./test-server.js";

const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** A server that signs people in by a provider of its own. */
async function startBoth(signUp: "closed" | "open") {
  const stack = new AsyncDisposableStack();
  const idp = stack.use(await startIdentityProvider());
  const server = stack.use(await TestServer.start({ signUp, oidc: idp }));
  const callback = `${server.address}/portal/auth/callback/oidc`;
  idp.redirectTo = callback;
  /** Goes the way of a person's browser. Returns where it ends. */
  const goThrough = async (browser: PortalClient, begin: string, input: object = {}) => {
    const { data, status } = await browser.mutate(begin, input);
    expect(status).toBe(200);
    const back = await visit((data as { url: string }).url, callback);
    const { pathname, search } = new URL(back);
    return (await browser.send("GET", pathname + search)).headers.get("location");
  };
  return { server, idp, goThrough, callback, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("makes an account for a person of the identity provider where sign-up is open", async () => {
  await using both = await startBoth("open");
  const { server, goThrough } = both;
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  expect(await browser.query("session.options")).toMatchObject({ data: { hasOidc: true, canSignUp: false } });
  expect(await goThrough(browser, "session.signInByOidc", { returnTo: "/explore" })).toBe("/explore");
  const { data } = await browser.query("session.me");
  expect(data).toMatchObject({ name: "Ada at work", email: "ada@work.example", isOwner: false, userId: expect.stringMatching(/^usr_/) });
  // The same person again, in another browser.
  const another = new PortalClient(server);
  await goThrough(another, "session.signInByOidc");
  expect(await another.query("session.me")).toMatchObject({ data: { userId: (data as { userId: string }).userId } });
  expect(await server.access.listUsers()).toHaveLength(2);
  // A password would make one for everybody.
  expect(await another.mutate("invite.signUp", { ...owner, email: "eve@example.org" })).toMatchObject({ status: 403 });
});

test("makes no account by the identity provider where sign-up is closed", async () => {
  await using both = await startBoth("closed");
  const { server, goThrough } = both;
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  expect(await goThrough(browser, "session.signInByOidc")).toMatch(/^\/sign-in\?error=signup_disabled/);
  expect(await browser.query("session.me")).toMatchObject({ data: null });
  expect(await server.access.listUsers()).toHaveLength(1);
});

test("connects an account while its person is signed in, never by equal email", async () => {
  await using both = await startBoth("open");
  const { server, idp, goThrough } = both;
  const { browser, userId } = await PortalClient.owner(server, owner);
  idp.person = { sub: "stranger", email: owner.email, name: "Eve" };
  const eve = new PortalClient(server);
  expect(await goThrough(eve, "session.signInByOidc")).toMatch(/^\/sign-in\?error=account_not_linked/);
  expect(await eve.query("session.me")).toMatchObject({ data: null });

  idp.person = { sub: "ada-at-work", email: "ada@work.example", name: "Ada at work" };
  expect(await goThrough(browser, "account.connectOidc")).toBe("/account");
  expect(await browser.query("account.methods")).toMatchObject({ data: { hasPassword: true, hasOidc: true } });
  const another = new PortalClient(server);
  await goThrough(another, "session.signInByOidc");
  expect(await another.query("session.me")).toMatchObject({ data: { userId, name: "Ada" } });
});

test("leads a disabled person back to the page where they signed in", async () => {
  await using both = await startBoth("open");
  const { server, goThrough } = both;
  const { browser: ownerBrowser } = await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  await goThrough(browser, "session.signInByOidc");
  const { data } = await browser.query("session.me");
  await ownerBrowser.mutate("people.disable", data);
  expect(await goThrough(browser, "session.signInByOidc")).toBe("/sign-in?error=forbidden");
  expect(await browser.query("session.me")).toMatchObject({ data: null });
});

test("leads back to the account when connecting it fails", async () => {
  await using both = await startBoth("closed");
  const { server, goThrough } = both;
  const { browser } = await PortalClient.owner(server, owner);
  await refuseInserts(server, "auth_accounts");
  expect(await goThrough(browser, "account.connectOidc")).toBe("/account?error=internal_error");
});

test("leads a person back to the sign-in and logs the cause when the server fails", async () => {
  await using logged = await startLogged();
  await logged.database.rows("ALTER TABLE auth_sessions RENAME TO away");
  expect(await logged.comeBack()).toMatchObject({
    location: "/sign-in?error=internal_error",
    line: { status: 302, failure: { kind: "PrismaClientKnownRequestError", code: "P2021" } },
  });
});

test("sends an invalid callback back to the sign-in, and logs no failure", async () => {
  await using logged = await startLogged();
  const { location, line } = await logged.comeBack("?code=one&code=two");
  expect(location).toBe("/sign-in?error=bad_request");
  expect(line).toMatchObject({ status: 302 });
  expect(line).not.toHaveProperty("failure");
});

test("refuses a provider's answer from another browser, or used twice", async () => {
  await using both = await startBoth("open");
  const { server, callback } = both;
  await PortalClient.owner(server, owner);
  const attacker = new PortalClient(server);
  const { data } = await attacker.mutate("session.signInByOidc");
  const { pathname, search } = new URL(await visit((data as { url: string }).url, callback));
  const victim = new PortalClient(server);
  const planted = await victim.send("GET", pathname + search);
  expect(planted.headers.get("location")).toMatch(/error=/);
  expect(await victim.query("session.me")).toMatchObject({ data: null });
  await attacker.send("GET", pathname + search);
  await attacker.mutate("session.signOut");
  expect((await attacker.send("GET", pathname + search)).headers.get("location")).toMatch(/error=/);
  expect(await attacker.query("session.me")).toMatchObject({ data: null });
});
