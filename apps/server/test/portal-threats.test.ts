import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const owner = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const wrong = { ...owner, password: "a wrong password" };
const signInPath = "/portal/trpc/session.signIn";
const dayMs = 86_400_000;

/** The first of the cookies that a browser has: the one of the session. */
const sessionOf = (browser: PortalClient) => /^[^;]*session_token=[^;]*/.exec(browser.cookie)?.[0] ?? "";

describe("session fixation", () => {
  test("signing in makes a new session, whatever cookie the browser had", async ({ server }) => {
    const { browser: attacker } = await PortalClient.owner(server, owner);
    const planted = sessionOf(attacker);
    const victim = new PortalClient(server);
    victim.cookie = planted;
    expect(await victim.signIn(owner)).toMatchObject({ status: 200 });
    expect(sessionOf(victim)).not.toBe(planted);
    await attacker.mutate("session.signOut");
    expect(await victim.query("session.me")).toMatchObject({ data: { email: owner.email } });
  });

  test("refuses a session cookie without the server's signature, or with another", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, owner);
    const [name = "", value = ""] = sessionOf(browser).split("=");
    const [token = "", signature = ""] = decodeURIComponent(value).split(".");
    const stranger = new PortalClient(server);
    for (const forged of [token, `${token}.`, `${token}.${signature.replace(/^./, (first) => (first === "A" ? "B" : "A"))}`]) {
      stranger.cookie = `${name}=${encodeURIComponent(forged)}`;
      expect(await stranger.query("session.me")).toMatchObject({ data: null });
    }
  });
});

describe("requests from other sites", () => {
  test("changes nothing by a request of another site, port or name, or of no origin", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, owner);
    for (const headers of [
      { Origin: "https://evil.example" },
      { Origin: "http://127.0.0.1:1" },
      { Origin: undefined },
      { Origin: "null" },
      // A name that an attacker has pointed to this machine.
      { Origin: "http://evil.example", Host: "evil.example" },
    ]) {
      const statusOf = async (path: string, body: object, more: object = {}) =>
        (await browser.send("POST", `/portal/trpc/session.${path}`, body, { ...more, ...headers })).status;
      const statuses = [
        await statusOf("signOut", owner),
        await statusOf("signIn", owner),
        // A form has no preflight.
        await statusOf("signOut", {}, { "Content-Type": "text/plain" }),
      ];
      expect([headers, ...statuses]).toEqual([headers, 403, 403, 403]);
      expect(await browser.query("session.me")).toMatchObject({ data: { email: owner.email } });
    }
  });

  test("answers no page of another origin, and none may read an answer", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, owner);
    const answer = await browser.send("GET", "/portal/trpc/session.me", undefined, { Origin: "https://evil.example" });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
  });

  test("changes nothing by GET", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, owner);
    expect((await browser.send("GET", "/portal/trpc/session.signOut")).status).toBe(405);
    expect((await browser.send("GET", "/portal/auth/sign-out")).status).toBe(404);
    expect(await browser.query("session.me")).toMatchObject({ data: { email: owner.email } });
  });
});

test("answers a wrong password and an unknown address alike", async ({ server }) => {
  await PortalClient.owner(server, owner);
  const browser = new PortalClient(server);
  const answers = [];
  for (const email of [owner.email, "nobody@example.org"]) {
    const answer = await browser.send("POST", signInPath, { ...wrong, email });
    const text = (await answer.text()).replaceAll(/"requestId":"[^"]*"/g, "");
    answers.push([answer.status, text, [...answer.headers.keys()].toSorted()]);
  }
  expect(answers[0]?.[0]).toBe(401);
  expect(answers[1]).toEqual(answers[0]);
});

describe("guessing passwords", () => {
  test("refuses an account after five attempts in a minute, from any address", async () => {
    await using server = await TestServer.start({ trustProxy: 1 });
    await PortalClient.owner(server, owner);
    server.clock.now = Date.UTC(2026, 0, 2);
    const attempt = (index: number, person = wrong) =>
      new PortalClient(server).send("POST", signInPath, person, { "X-Forwarded-For": `192.0.2.${index}` });
    for (let index = 1; index <= 5; index++) expect((await attempt(index)).status).toBe(401);
    const refused = await attempt(6, owner);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    expect((await attempt(8, { ...owner, email: owner.email.toUpperCase() })).status).toBe(429);
    // The library's own way to sign in counts nothing, and is closed.
    expect((await new PortalClient(server).send("POST", "/portal/auth/sign-in/email", owner)).status).toBe(404);
    server.clock.now += 60_000;
    expect((await attempt(7, owner)).status).toBe(200);
  });

  test("refuses an address after twenty attempts in a minute, for any account", async () => {
    await using server = await TestServer.start({ trustProxy: 1 });
    await PortalClient.owner(server, owner);
    server.clock.now = Date.UTC(2026, 0, 2);
    const attempt = async (email: string, address: string) => {
      const person = { ...owner, email };
      return (await new PortalClient(server).send("POST", signInPath, person, { "X-Forwarded-For": address })).status;
    };
    const tries = Array.from({ length: 20 }, (_, index) => attempt(`person${index}@example.org`, `2001:db8::${index}`));
    expect(new Set(await Promise.all(tries))).toEqual(new Set([401]));
    // All addresses of a network are one client.
    expect(await attempt(owner.email, "2001:db8::ffff")).toBe(429);
    expect(await attempt(owner.email, "2001:db8:1::1")).toBe(200);
  });
});

test("counts what anybody may ask for by its address, also with a session", async () => {
  const plenty = 1_000_000;
  const rateLimits = { sync: plenty, batchSync: plenty, read: plenty, search: plenty, delete: plenty, anonymous: 3 };
  await using server = await TestServer.start({ signUp: "open", rateLimits });
  server.clock.now = Date.UTC(2026, 0, 2);
  const { browser } = await PortalClient.owner(server, owner);
  server.clock.now += 60_000;
  const signUp = async (index: number) => (await browser.mutate("invite.signUp", { ...owner, email: `eve${index}@example.org` })).status;
  expect([await signUp(1), await signUp(2), await signUp(3), await signUp(4)]).toEqual([200, 200, 200, 429]);
  expect(await browser.mutate("session.signInByOidc", {})).toMatchObject({ status: 429 });
  expect(await browser.query("account.sessions")).toMatchObject({ status: 200 });
  expect(await browser.query("session.me")).toMatchObject({ data: { email: owner.email } });
  expect(await browser.mutate("session.signOut")).toMatchObject({ status: 200 });
});

test("sends nobody to another site after signing in", async () => {
  await using server = await TestServer.start({ oidc: { issuer: "http://127.0.0.1:1", clientId: "periscope", clientSecret: "secret" } });
  const { browser } = await PortalClient.owner(server, owner);
  for (const target of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
  ]) {
    expect(await browser.mutate("session.signInByOidc", { returnTo: target })).toMatchObject({ status: 400 });
  }
  const callback = await browser.send("GET", "/portal/auth/callback/oidc?error=https://evil.example&error_description=//evil.example");
  expect(callback.headers.get("location")).toMatch(/^\/sign-in\?/);
});

describe("tokens that make accounts", () => {
  test("end after a day for the owner, and after a week for others", async () => {
    await using server = await TestServer.start({ signUp: "invite" });
    const token = await server.invites.createSetupToken();
    const browser = new PortalClient(server);
    server.clock.aheadMs = dayMs + 1_000;
    expect(await browser.mutate("setup.begin", { token })).toMatchObject({ data: { isValid: false } });
    expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 403 });
    server.clock.aheadMs = 0;
    const { browser: ownerBrowser } = await PortalClient.owner(server, owner);
    const { data: invite } = await ownerBrowser.mutate("people.invite", {});
    server.clock.aheadMs = 7 * dayMs + 1_000;
    expect(await browser.mutate("invite.begin", invite)).toMatchObject({ data: { isValid: false } });
    expect(await browser.mutate("invite.complete", { ...(invite as object), ...owner, email: "eve@example.org" })).toMatchObject({
      status: 403,
    });
  });

  test("are refused in an address, which logs keep", async ({ server }) => {
    const token = await server.invites.createSetupToken();
    for (const procedure of ["setup.begin", "invite.begin"])
      expect(await new PortalClient(server).query(procedure, { token })).toMatchObject({ status: 405 });
  });

  test("are stored as hashes only, and the owner can end an invite", async () => {
    await using server = await TestServer.start({ signUp: "invite" });
    const { browser } = await PortalClient.owner(server, owner);
    const { data } = await browser.mutate("people.invite", { note: "Grace", days: 1 });
    const { token } = data as { token: string };
    const { data: invites } = await browser.query("people.invites");
    const [invite] = (invites as { open: { hash: string; note: string }[] }).open;
    expect(invite).toMatchObject({ note: "Grace", hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const stored = JSON.stringify([...(await server.rows("SELECT * FROM invites")), invites]);
    expect(stored).not.toContain(token);
    expect(await browser.mutate("people.revokeInvite", { hash: invite?.hash })).toMatchObject({ status: 200 });
    expect(await browser.mutate("people.revokeInvite", { hash: invite?.hash })).toMatchObject({ status: 404 });
    expect(await browser.mutate("invite.begin", { token })).toMatchObject({ data: { isValid: false } });
  });
});

test("a key opens nothing of the portal, and a session nothing of the API", async ({ server }) => {
  const { browser, key } = await PortalClient.owner(server, owner);
  const cookie = { Cookie: browser.cookie, Authorization: undefined };
  const program = new PortalClient(server);
  for (const [path, method] of [
    ["/api/v1/context/history", "GET"],
    ["/api/v1/key", "GET"],
    ["/mcp", "POST"],
  ] as const)
    expect((await browser.send(method, path, {}, cookie)).status).toBe(401);
  const headers = { Authorization: `Bearer ${key}` };
  expect((await program.send("GET", "/portal/trpc/account.sessions", undefined, headers)).status).toBe(401);
  expect(await (await program.send("GET", "/portal/trpc/session.me", undefined, headers)).json()).toEqual({ result: { data: null } });
});

test("refuses an expired session, and forgets it", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  await server.rows(`UPDATE auth_sessions SET "expiresAt" = ?`, testEngine() === "sqlite" ? 0 : new Date(0));
  expect(await browser.query("account.sessions")).toMatchObject({ status: 401 });
  expect(await browser.query("session.me")).toMatchObject({ data: null });
  expect(await server.rows("SELECT id FROM auth_sessions")).toEqual([]);
});

test("sends session cookies over https alone where the public address is https", async () => {
  await using server = await TestServer.start({ publicUrl: "https://periscope.example" });
  const browser = new PortalClient(server);
  const token = await server.invites.createSetupToken();
  expect(await browser.mutate("setup.complete", { token, ...owner })).toMatchObject({ status: 200 });
  expect(browser.setCookies).toEqual([expect.stringMatching(/^__Secure-periscope\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/)]);
  expect(await browser.query("session.me")).toMatchObject({ data: { email: owner.email } });
});

test("keeps passwords as salted hashes, and answers no request with a secret", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const [account] = await server.rows<{ password: string }>("SELECT password FROM auth_accounts");
  expect(account?.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  const answers = JSON.stringify([
    await browser.query("people.list"),
    await browser.query("account.methods"),
    await browser.query("session.me"),
  ]);
  expect(answers).not.toContain(account?.password);
});

test("limits the bodies of anonymous requests, also compressed ones", async ({ server }) => {
  const browser = new PortalClient(server);
  const large = { ...owner, password: "x".repeat(20_000) };
  for (const path of [signInPath, "/portal/pair", "/oauth/register"]) expect((await browser.send("POST", path, large)).status).toBe(413);
  const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip", Origin: browser.origin };
  for (const path of ["/portal/pair", "/oauth/register"]) {
    const body = gzipSync(JSON.stringify(large));
    expect((await fetch(new URL(path, server.address), { method: "POST", headers, body })).status).toBe(413);
  }
});

test("rejects batches of procedures, so that each call is counted", async () => {
  await using server = await TestServer.start({ signUp: "open" });
  const browser = new PortalClient(server);
  const body = { 0: { ...owner, email: "a@example.org" }, 1: { ...owner, email: "b@example.org" } };
  expect((await browser.send("POST", "/portal/trpc/invite.signUp,invite.signUp?batch=1", body)).status).toBe(400);
  expect(await server.access.listUsers()).toEqual([]);
});

test("tells what is wrong with a request that no page sends", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, owner);
  const answers = await Promise.all([
    browser.query("keys.gone"),
    browser.query("keys.create"),
    browser.mutate("keys.list"),
    browser.mutate("keys.create", { name: "x".repeat(3_000_000) }),
  ]);
  expect(answers.map(({ status, error }) => [status, error?.error])).toEqual([
    [404, "not_found"],
    [405, "method_not_allowed"],
    [405, "method_not_allowed"],
    [413, "payload_too_large"],
  ]);
  expect(answers[0]?.error?.message).toContain("Reload the page");
});

test("no page of another site may show a page in a frame", async ({ server }) => {
  const pages = "/ /explore /keys /devices /privacy /data /usage /people /system /account /api /contexts/x".split(" ");
  pages.push(..."/sign-in /setup /invite /pair /pair/done /authorize?client_id=x".split(" "));
  for (const path of pages) {
    const { headers, status } = await new PortalClient(server).send("GET", path);
    expect([path, status, headers.get("content-security-policy"), headers.get("x-content-type-options")]).toEqual([
      path,
      200,
      expect.stringContaining("frame-ancestors 'none'"),
      "nosniff",
    ]);
  }
  const docs = await new PortalClient(server).send("GET", "/api/v1/docs");
  expect(docs.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
});
