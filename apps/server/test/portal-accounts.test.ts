import { expect } from "vitest";
import { validKeysMax } from "../src/access/access.service.js";
import { claimDataDirectory } from "../src/cli/data-directory.js";
import { TestCommand } from "./test-command.js";
import { createMessage } from "./messages.js";
import { OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { refuseInserts, testEngine } from "./test-database.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const owner = { name: "Ada", email: "Ada@example.org", password: "correct horse battery" };
const grace = { name: "Grace", email: "grace@example.org", password: "staple battery horse" };

/** The owner's browser, and the one of a person whom the owner has invited. */
async function twoPeople(server: TestServer) {
  const { browser: ownerBrowser, ...made } = await PortalClient.owner(server, owner);
  const { data } = await ownerBrowser.mutate("people.invite", { note: "Grace" });
  const browser = new PortalClient(server);
  const joined = await browser.mutate("invite.complete", { ...(data as { token: string }), ...grace });
  return { ownerBrowser, owner: made, browser, userId: (joined.data as { userId: string }).userId, ...(data as { token: string }) };
}

test("makes the owner's account by the printed token, once", async ({ server }) => {
  const token = (await server.invites.createSetupToken()) ?? "";
  const browser = new PortalClient(server);
  expect(await browser.query("session.me")).toEqual({ status: 200, data: null });
  expect(await browser.mutate("setup.begin", { token })).toMatchObject({ data: { isValid: true } });
  const made = await browser.mutate("setup.complete", { token, ...owner });
  expect(made).toMatchObject({ status: 200, data: { userId: expect.stringMatching(/^usr_/), key: expect.stringMatching(/^psk_/) } });
  expect(browser.setCookies.join()).toMatch(/^periscope\.session_token=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  const { userId } = made.data as { userId: string };
  expect(await browser.query("session.me")).toMatchObject({ data: { userId, name: "Ada", email: "ada@example.org", isOwner: true } });
  expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 403 });
  expect(await server.invites.createSetupToken()).toBeNull();
  expect(await server.access.listUsers()).toMatchObject([{ userId }]);
});

test("gives the owner the only user that keys have made", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, owner);
  expect(await browser.query("session.me")).toMatchObject({ data: { userId: client.userId } });
});

test("makes the owner by the printed token although others signed up first", async () => {
  await using server = await TestServer.start({ signUp: "open" });
  const token = await server.invites.createSetupToken();
  const stranger = new PortalClient(server);
  await stranger.mutate("invite.signUp", grace);
  await stranger.signIn(grace);
  const browser = new PortalClient(server);
  expect(await browser.query("session.options")).toMatchObject({ data: { needsSetup: true } });
  expect(await browser.mutate("setup.complete", { token, ...owner, email: grace.email })).toMatchObject({ status: 409 });
  expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 200 });
  expect(await browser.query("people.list")).toMatchObject({
    data: [{ account: { name: "Grace", isOwner: false } }, { account: { name: "Ada", isOwner: true } }],
  });
  expect(await stranger.query("people.list")).toMatchObject({ status: 403 });
});

test("keeps the printed token while the only user has too many keys for another one", async ({ server, client }) => {
  const { userId } = client;
  const record = {
    userId,
    name: "",
    hash: "0",
    scopes: "read",
    maxPrivacyLevel: "public",
    createdAt: testEngine() === "sqlite" ? 0 : new Date(0),
  };
  const columns = Object.keys(record).map((name) => `"${name}"`);
  for (let index = 1; index < validKeysMax; index++)
    await server.rows(
      `INSERT INTO api_keys ("keyId", ${columns.join()}) VALUES (?, ${columns.map(() => "?").join()})`,
      `key${index}`,
      ...Object.values(record),
    );
  const token = await server.invites.createSetupToken();
  const browser = new PortalClient(server);
  const refused = await browser.mutate("setup.complete", { token, ...owner });
  expect(refused).toMatchObject({ status: 409, error: { message: expect.stringContaining("Revoke a key") } });
  expect(await browser.mutate("setup.begin", { token })).toMatchObject({ data: { isValid: true } });
  expect(await server.rows('SELECT "userId" FROM auth_users UNION ALL SELECT "userId" FROM auth_accounts')).toEqual([]);
  await server.access.revokeKey("key1");
  expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 200, data: { userId } });
});

test.for(["auth_users", "auth_accounts", "api_keys"])(
  "leaves no account and no new user when a row of %s is refused at setup, and keeps the printed token",
  async (table, { expect, server }) => {
    const token = await server.invites.createSetupToken();
    const browser = new PortalClient(server);
    const complete = () => browser.mutate("setup.complete", { token, ...owner });
    const accounts = () => server.rows('SELECT "userId" FROM auth_accounts UNION ALL SELECT "userId" FROM auth_users');
    const allow = await refuseInserts(server, table);
    expect(await complete()).toMatchObject({ status: 500 });
    expect([await server.access.listUsers(), await server.access.listKeys(), await accounts()]).toEqual([[], [], []]);
    await allow();
    const { userId } = await server.client();
    const allowAgain = await refuseInserts(server, table);
    expect(await complete()).toMatchObject({ status: 500 });
    expect([await server.access.listUsers(), await server.access.listKeys()]).toMatchObject([[{ userId }], [{ userId }]]);
    expect(await accounts()).toEqual([]);
    await allowAgain();
    expect(await complete()).toMatchObject({ status: 200, data: { userId } });
  },
);

test("keeps an invite and an email address free when an account cannot be finished", async () => {
  await using server = await TestServer.start({ signUp: "open" });
  const { browser: ownerBrowser } = await PortalClient.owner(server, owner);
  const { token } = (await ownerBrowser.mutate("people.invite")).data as { token: string };
  const allow = await refuseInserts(server, "auth_accounts");
  const browser = new PortalClient(server);
  expect(await browser.mutate("invite.signUp", grace)).toMatchObject({ status: 500 });
  expect(await browser.mutate("invite.complete", { token, ...grace })).toMatchObject({ status: 500 });
  expect(await server.access.listUsers()).toHaveLength(1);
  await allow();
  expect(await browser.mutate("invite.complete", { token, ...grace })).toMatchObject({ status: 200 });
});

test("keeps the invite when the email address is taken, and says so only to a valid invite", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  await PortalClient.owner(server, owner);
  const token = await server.invites.create();
  const complete = (of: string) => new PortalClient(server).mutate("invite.complete", { token: of, ...grace, email: owner.email });
  // An invite that ends could not come back.
  const allow = await refuseInserts(server, "invites");
  expect([await complete("wrong"), await complete(token)]).toMatchObject([{ status: 403 }, { status: 409 }]);
  await allow();
  expect(await server.invites.find(token)).not.toBeNull();
});

test("says why no account was made, also when its token cannot be given back", async ({ server, client }) => {
  for (let count = 1; count < validKeysMax; count++) await server.access.createKey({ userId: client.userId, scopes: ["read"] });
  const token = await server.invites.createSetupToken();
  await refuseInserts(server, "invites");
  expect(await new PortalClient(server).mutate("setup.complete", { token, ...owner })).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining("Revoke a key") },
  });
});

test.for([1_000, -1_000])(
  "keeps only the newest setup token when an earlier one is restored, with the clock moved by %s ms",
  async (movedMs, { expect, server }) => {
    const earlier = (await server.invites.createSetupToken()) ?? "";
    const invite = await server.invites.find(earlier);
    if (!invite) throw new Error("The token is not known.");
    server.clock.aheadMs = movedMs;
    const printed = (await server.invites.createSetupToken()) ?? "";
    const isValid = async (token: string) => (await new PortalClient(server).mutate("setup.begin", { token })).data;
    expect([await isValid(earlier), await isValid(printed)]).toMatchObject([{ isValid: false }, { isValid: true }]);
    await server.invites.restore(invite);
    expect([await isValid(earlier), await isValid(printed)]).toMatchObject([{ isValid: false }, { isValid: true }]);
  },
);

test("lets an invited person in, once, and shows the owner who is there", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const {
    ownerBrowser,
    owner: { userId: ownerId },
    browser,
    userId,
    token,
  } = await twoPeople(server);
  expect(await browser.query("session.me")).toMatchObject({ data: { userId, name: "Grace", email: grace.email, isOwner: false } });
  expect(await new PortalClient(server).mutate("invite.begin", { token })).toMatchObject({ data: { isValid: false } });
  expect(await new PortalClient(server).mutate("invite.complete", { token, ...grace, email: "eve@example.org" })).toMatchObject({
    status: 403,
  });
  const client = await server.client({ userId });
  await client.sync(createMessage({ context: { content: "A lighthouse." } }));
  expect(await ownerBrowser.query("people.list")).toMatchObject({
    data: [
      { userId: ownerId, contexts: 0, account: { isOwner: true, disabledAt: null, lastSignInAt: expect.any(Number) } },
      { userId, contexts: 1, bytes: 13, account: { name: "Grace", isOwner: false } },
    ],
  });
  expect(await ownerBrowser.query("people.invites")).toMatchObject({ data: { open: [] } });
  for (const procedure of ["people.list", "people.invites"]) expect(await browser.query(procedure)).toMatchObject({ status: 403 });
  expect(await browser.erase({ userId: ownerId, confirm: ownerId })).toMatchObject({ status: 403 });
});

test("takes somebody who was erased for nobody who may sign in", async ({ server }) => {
  const { browser, userId } = await PortalClient.owner(server, owner);
  await using storage = await server.openStorage();
  expect(await storage.accounts.isEnabled(userId)).toBe(true);
  expect(await browser.erase({ confirm: owner.email })).toMatchObject({ status: 200 });
  expect(await storage.accounts.isEnabled(userId)).toBe(false);
});

test("refuses the sessions and keys of a disabled person until they are enabled", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const {
    ownerBrowser,
    owner: { userId: ownerId },
    browser,
    userId,
  } = await twoPeople(server);
  const client = await server.client({ userId });
  const agent = await OAuthAgent.register(server);
  const { access, refresh } = await agent.connect(browser);
  expect(await ownerBrowser.mutate("people.disable", { userId: ownerId })).toMatchObject({ status: 403 });
  expect(await ownerBrowser.mutate("people.disable", { userId })).toMatchObject({ status: 200 });
  expect(await browser.query("account.sessions")).toMatchObject({ status: 401 });
  expect(await browser.signIn(grace)).toMatchObject({
    status: 403,
    error: { message: "This account is disabled. Ask the owner of this server." },
  });
  expect(await browser.signIn({ ...grace, password: "not the password" })).toMatchObject({ status: 401 });
  expect((await client.get("/context/history")).status).toBe(401);
  expect(await agent.mcpStatus(access)).toBe(401);
  expect(await agent.refresh(refresh)).toMatchObject({ status: 400 });
  expect(await ownerBrowser.mutate("people.enable", { userId })).toMatchObject({ status: 200 });
  expect(await browser.signIn(grace)).toMatchObject({ status: 200 });
  // What was refused is refused from memory for five seconds.
  server.clock.aheadMs = 6_000;
  expect((await client.get("/context/history")).status).toBe(200);
});

test("erases a person with their account", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const { ownerBrowser, browser, userId } = await twoPeople(server);
  expect(await ownerBrowser.erase({ userId, confirm: "someone" })).toMatchObject({ status: 400 });
  const erased = await ownerBrowser.erase({ userId, confirm: userId });
  expect(erased).toMatchObject({ status: 200, data: { counts: { accounts: 1, sessions: 1, signInMethods: 1 }, verified: { found: 0 } } });
  expect(await browser.query("session.me")).toEqual({ status: 200, data: null });
  expect(await browser.signIn(grace)).toMatchObject({ status: 401 });
});

test("creates one account from concurrent requests with one email address", async () => {
  await using server = await TestServer.start({ signUp: "open" });
  await PortalClient.owner(server, owner);
  const sendAll = async (procedure: string, tokens: (string | undefined)[], person = grace) => {
    const sent = tokens.map((token) => new PortalClient(server).mutate(procedure, { token, ...person }));
    return (await Promise.all(sent)).map(({ status }) => status).toSorted((one, other) => one - other);
  };
  expect(await sendAll("invite.signUp", [undefined, undefined, undefined])).toEqual([200, 200, 200]);
  const invites = await Promise.all([server.invites.create(), server.invites.create(), server.invites.create()]);
  expect(await sendAll("invite.complete", invites, { ...grace, email: "eve@example.org" })).toEqual([200, 409, 409]);
  // Those who came too late can use their invites with another address.
  expect(await server.invites.list()).toHaveLength(2);
  expect(await server.access.listUsers()).toHaveLength(3);
});

test("makes one account of each token when many use it at once, and none of another kind", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const token = await server.invites.createSetupToken();
  const all = (procedure: string, of: string | null) =>
    Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        new PortalClient(server).mutate(procedure, { token: of, ...owner, email: `${procedure}${index}@example.org` }),
      ),
    );
  const statuses = async (answers: ReturnType<typeof all>) => (await answers).map(({ status }) => status).toSorted((a, b) => a - b);
  expect(await statuses(all("invite.complete", token))).toEqual([403, 403, 403, 403]);
  expect(await statuses(all("setup.complete", token))).toEqual([200, 403, 403, 403]);
  const invite = await server.invites.create();
  expect(await statuses(all("setup.complete", invite))).toEqual([403, 403, 403, 403]);
  expect(await statuses(all("invite.complete", invite))).toEqual([200, 403, 403, 403]);
  expect(await server.access.listUsers()).toHaveLength(2);
});

test("resets a lost password, by the owner or the command line, and ends the sessions", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const { ownerBrowser, browser, userId } = await twoPeople(server);
  const reset = await ownerBrowser.mutate("people.resetPassword", { userId });
  expect(await browser.query("session.me")).toMatchObject({ data: null });
  expect(await browser.signIn(grace)).toMatchObject({ status: 401 });
  expect(await browser.signIn({ ...grace, ...(reset.data as { password: string }) })).toMatchObject({ status: 200 });
  using command = new TestCommand({ PERISCOPE_DATA_DIR: server.config.dataDir, DATABASE_URL: server.config.databaseUrl });
  expect(await command.json("users", "list")).toContainEqual(
    expect.objectContaining({ name: owner.name, email: owner.email.toLowerCase() }),
  );
  const { code, out } = await command.run("users", "reset-password", owner.email);
  expect([code, await ownerBrowser.query("session.me")]).toMatchObject([0, { data: null }]);
  expect(await ownerBrowser.signIn({ ...owner, password: out.trim() })).toMatchObject({ status: 200 });
  expect(await command.run("users", "reset-password", "nobody@example.org")).toMatchObject({ code: 1, out: "" });
});

test("invites from the command line, unless sign-up is closed", async () => {
  await using server = await TestServer.start({ signUp: "invite" });
  const environment = { PERISCOPE_DATA_DIR: server.config.dataDir, DATABASE_URL: server.config.databaseUrl, PORT: "4100" };
  using command = new TestCommand({ ...environment, SIGN_UP: "invite" });
  using running = claimDataDirectory(server.config.dataDir);
  running.announce({ address: "http://127.0.0.1:4200/api/v1", policy: "" });
  // With PostgreSQL, the server of the data directory has another database.
  const port = testEngine() === "sqlite" ? 4200 : 4100;
  const { out } = await command.run("users", "invite", "--note", "Grace", "--expires", "2d");
  const [, token] = new RegExp(`^http://127\\.0\\.0\\.1:${port}/invite#([\\w-]{43})\n$`).exec(out) ?? [];
  expect(await new PortalClient(server).mutate("invite.complete", { token, ...grace })).toMatchObject({ status: 200 });
  using closed = new TestCommand(environment);
  expect(await closed.run("users", "invite")).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("in the environment of this command"),
  });
});

test("finds nothing by text with a NUL, which PostgreSQL cannot store", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const odd = "a\0";
  for (const procedure of ["people.disable", "people.enable", "people.resetPassword"])
    expect([procedure, await browser.mutate(procedure, { userId: odd })]).toMatchObject([procedure, { status: 404 }]);
  expect(await browser.mutate("people.revokeInvite", { hash: odd })).toMatchObject({ status: 404 });
  expect(await browser.mutate("account.endSession", { id: odd })).toMatchObject({ status: 404 });
  expect(await new PortalClient(server).signIn({ ...owner, email: odd })).toMatchObject({ status: 401 });
});
