import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { portalRouter } from "../src/portal/portal-router.js";
import { configMessage, createMessage } from "./messages.js";
import { callback, OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { TestServer } from "./test-server.js";

const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
const eve = { ...ada, name: "Eve", email: "eve@example.org" };
/** In everything that is Ada's, and nowhere else. */
const marker = "lovelace";

/** A request to the portal. */
interface Call {
  name: string;
  method: "GET" | "POST";
  path: string;
}

const procedures = Object.entries(portalRouter._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>).map(
  ([name, { _def }]): Call => ({ name, method: _def.type === "query" ? "GET" : "POST", path: `/portal/trpc/${name}` }),
);
/** What is no procedure. */
const streams: Call[] = [
  { name: "live", method: "GET", path: "/portal/live" },
  { name: "export", method: "GET", path: "/portal/export" },
  { name: "import", method: "POST", path: "/portal/import" },
  { name: "erase", method: "POST", path: "/portal/erase" },
];
/** What people ask for before they are signed in. */
const forAnybody = [
  "session.me",
  "session.options",
  "session.signIn",
  "session.signInByOidc",
  "session.signOut",
  "setup.begin",
  "setup.complete",
  "invite.begin",
  "invite.complete",
  "invite.signUp",
];
const guarded = [...procedures, ...streams].filter(({ name }) => !forAnybody.includes(name));
const isForOwner = ({ name }: Call) => /^(?:people|system)\./.test(name);

/** Ids of what is Ada's. */
interface Owned {
  userId: string;
  keyId: string;
  sessionId: string;
}

/** What somebody else sends to each procedure, and which status they get. Where it names something, it is Ada's. */
const strangersRequests = (
  { keyId, sessionId }: Owned,
  oauth: Record<string, string>,
): Record<string, [status: number, input?: object]> => ({
  "now.overview": [200, { since: "2026-01-01T00:00:00.000Z" }],
  "now.firstSteps": [200],
  "now.storage": [200],
  "explore.search": [200, { query: "notes", zone: "UTC" }],
  "explore.context": [404, { contextId: marker }],
  "explore.remove": [403, { contextId: marker }],
  "explore.previewDelete": [200, { query: marker }],
  "explore.deleteMatches": [200, { filter: { query: marker }, confirm: "1" }],
  "privacy.rules": [200],
  "privacy.saveRules": [200, { blockedSites: [], siteRules: [], denyList: [], updatedAt: null }],
  "privacy.retention": [200],
  "privacy.saveRetention": [200, { rules: [{ keepDays: 1 }], updatedAt: null }],
  "privacy.preview": [200, { url: "https://example.org/", title: "", content: "Text." }],
  "agents.request": [200, { parameters: oauth }],
  "agents.agree": [200, { parameters: oauth, scopes: ["read"], maxPrivacyLevel: "restricted" }],
  "keys.list": [200],
  "keys.create": [200, { name: "of Eve", scopes: ["read"], maxPrivacyLevel: "restricted", expiresInDays: null }],
  "keys.revoke": [404, { keyId }],
  "devices.list": [200],
  "devices.unpair": [404, { extensionId: marker }],
  "usage.requests": [200, { days: 7 }],
  "usage.limits": [200],
  "usage.stored": [200, { days: 90 }],
  "account.methods": [200],
  "account.sessions": [200],
  "account.endSession": [404, { id: sessionId }],
  "account.endOtherSessions": [200, {}],
  "account.changeProfile": [409, { name: "Eve", email: ada.email, password: eve.password }],
  "account.changePassword": [400, { current: "a wrong password", next: "another password" }],
  "account.connectOidc": [503, {}],
  "pairing.approve": [
    200,
    {
      challenge: "a".repeat(43),
      origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
      name: "of Eve",
      scopes: ["write"],
    },
  ],
});

let server: TestServer;
let owner: PortalClient;
let guest: PortalClient;
let owned: Owned;
let oauth: Record<string, string>;
/** The row of a session of the guest's that has no other use. */
let session: Record<string, unknown>;
let sessionCookie: string;
beforeAll(async () => {
  server = await TestServer.start({ signUp: "invite" });
  const made = await PortalClient.owner(server, ada);
  owner = made.browser;
  guest = new PortalClient(server);
  await guest.mutate("invite.complete", { token: await server.invites.create(), ...eve });
  const second = new PortalClient(server);
  await second.signIn(eve);
  sessionCookie = second.cookie;
  [session = {}] = await server.rows<Record<string, unknown>>(`SELECT * FROM auth_sessions ORDER BY "createdAt" DESC LIMIT 1`);

  const client = await server.client({ userId: made.userId, name: marker });
  await client.sync(createMessage({ extensionId: marker, context: { id: marker, content: `Notes of ${marker}.` } }));
  await client.sync(configMessage("config", 1, { queuedMessages: 0 }, marker));
  await owner.mutate("privacy.saveRules", { blockedSites: [`${marker}.example`], siteRules: [], denyList: [], updatedAt: null });
  const { data } = await owner.query("account.sessions");
  owned = { userId: made.userId, keyId: client.keyId, sessionId: (data as { id: string }[])[0]?.id ?? "" };
  const agent = await OAuthAgent.register(server);
  oauth = agent.query({ redirect_uri: callback });
});
afterAll(() => server[Symbol.asyncDispose]());

const call = (browser: PortalClient, { method, path }: Call, headers: Record<string, string | undefined> = {}) =>
  browser.send(method, path, {}, headers);

/** Everything of hers that Ada sees. */
const view = () =>
  Promise.all(
    ["keys.list", "devices.list", "privacy.rules", "privacy.retention", "account.sessions", "session.me", "now.storage"]
      .map((name) => owner.query(name))
      .concat(owner.query("explore.context", { contextId: marker })),
  );

it("knows every procedure, and what a stranger sends to it", () => {
  const known = [...forAnybody, ...Object.keys(strangersRequests(owned, oauth)), ...procedures.filter(isForOwner).map(({ name }) => name)];
  expect(procedures.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});

it.each([...procedures, ...streams])("refuses $name to pages of another origin", async (each) => {
  const answer = await call(owner, each, { Origin: "https://evil.example" });
  expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
});

it.each(guarded)("answers $name 401 without a session, by a key, and by a session that nobody has", async (each) => {
  expect((await call(new PortalClient(server), each)).status).toBe(401);
  const { key } = await server.client();
  expect((await call(new PortalClient(server), each, { Authorization: `Bearer ${key}` })).status).toBe(401);
  const forged = new PortalClient(server);
  forged.cookie = owner.cookie.replace(/=[^;.]*/, `=${"a".repeat(32)}`);
  expect((await call(forged, each)).status).toBe(401);
});

it.each(guarded)("answers $name 401 once the session has expired", async (each) => {
  // It is forgotten by the request that finds it.
  await server.rows(`DELETE FROM auth_sessions WHERE "id" = ?`, session["id"]);
  const row = { ...session, expiresAt: testEngine() === "sqlite" ? Date.now() - 1_000 : new Date(Date.now() - 1_000) };
  const columns = Object.keys(row).map((name) => `"${name}"`);
  await server.rows(`INSERT INTO auth_sessions (${columns.join()}) VALUES (${columns.map(() => "?").join()})`, ...Object.values(row));
  const late = new PortalClient(server);
  late.cookie = sessionCookie;
  expect((await call(late, each)).status).toBe(401);
});

it.each(guarded)("answers $name 401 to a page that shows another person", async (each) => {
  expect((await call(guest, each, { "X-Periscope-User": owned.userId })).status).toBe(401);
});

it.each(procedures.filter(isForOwner))("answers $name 403 to all but the owner", async (each) => {
  expect((await call(guest, each)).status).toBe(403);
});

describe("another person", () => {
  let before: Awaited<ReturnType<typeof view>>;
  beforeAll(async () => void (before = await view()));

  it.each(procedures.filter((each) => guarded.includes(each) && !isForOwner(each)))(
    "sees nothing of Ada's by $name, and changes nothing",
    async ({ name, method }) => {
      expect(JSON.stringify(before)).toContain(marker);
      const [expected, input] = strangersRequests(owned, oauth)[name] ?? [];
      const { status, data } = await (method === "GET" ? guest.query(name, input) : guest.mutate(name, input));
      expect(status).toBe(expected);
      const answer = JSON.stringify(data) ?? "";
      for (const secret of [marker, owned.keyId, owned.sessionId, ada.email]) expect(answer).not.toContain(secret);
      expect(await view()).toEqual(before);
    },
  );

  it("reads nothing of Ada's in an export", async () => {
    const answer = await guest.send("GET", "/portal/export");
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toContain(marker);
  });

  it("cannot erase Ada", async () => {
    const { data } = await owner.query("session.me");
    const { userId } = data as { userId: string };
    expect((await guest.send("POST", "/portal/erase", { userId, confirm: userId })).status).toBe(403);
    expect((await guest.send("POST", "/portal/erase", { confirm: ada.email })).status).toBe(400);
    expect(await owner.query("explore.context", { contextId: marker })).toMatchObject({ status: 200 });
  });
});
