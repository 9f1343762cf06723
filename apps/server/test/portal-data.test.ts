import { gzipSync } from "node:zlib";
import { limits } from "@periscope/schemas";
import { expect } from "vitest";
import { PortalClient } from "./portal-client.js";
import { TestServer, withOwnServer as test } from "./test-server.js";
import { fillDays } from "./day-contexts.js";
import { exportOf } from "./export-text.js";
import { createMessage } from "./messages.js";

const ada = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

test("shows what each level would store under the person's rules, and stores nothing", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const rules = { blockedSites: [], siteRules: [], denyList: ["Charles Babbage"] };
  const saved = await browser.mutate("privacy.saveRules", { ...rules, updatedAt: null });
  expect(saved).toMatchObject({ status: 200, data: rules });
  const content = "Password: hunter2hunter2. IBAN DE89 3702 0044 0532 0130 00. Write to Charles Babbage.";
  const { data } = await browser.mutate("privacy.preview", { url: "https://example.com/", title: "A page", content });
  expect(data).toEqual([
    shown("public", "Password: [REDACTED:password]. IBAN DE89 3702 0044 0532 0130 00. Write to Charles Babbage."),
    shown("private", "Password: [REDACTED:password]. IBAN [REDACTED:iban]. Write to Charles Babbage."),
    shown("filtered", expect.not.stringContaining("Babbage")),
    shown("restricted", ""),
  ]);
  expect(await browser.query("now.storage")).toMatchObject({ data: { contexts: 0 } });

  await browser.mutate("privacy.saveRules", { ...(saved.data as object), blockedSites: ["example.com"] });
  const blocked = await browser.mutate("privacy.preview", { url: "https://example.com/", title: "", content });
  expect(blocked.data).toMatchObject([{ stored: null }, { stored: null }, { stored: null }, { stored: null }]);
});

function shown(asked: string, content: unknown) {
  return expect.objectContaining({ asked, stored: expect.objectContaining({ level: asked, content }) });
}

test("keeps retention rules, and refuses a site that is none", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const rules = [{ keepDays: 30, site: "news.example" }];
  expect(await browser.mutate("privacy.saveRetention", { rules, updatedAt: null })).toMatchObject({ status: 200, data: { rules } });
  expect(await browser.query("privacy.retention")).toMatchObject({ data: { rules } });
  const wrong = await browser.mutate("privacy.saveRetention", { rules: [{ keepDays: 30, site: "no site" }], updatedAt: null });
  expect(wrong).toMatchObject({ status: 400, error: { error: "bad_request" } });
  expect(await browser.query("privacy.retention")).toMatchObject({ data: { rules } });
});

test("saves no rules over those that another place has saved since", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, ada);
  const shown = [(await browser.query("privacy.rules")).data, (await browser.query("privacy.retention")).data] as [object, object];
  const blocked = { blockedSites: ["bank.example"], siteRules: [], denyList: [] };
  expect((await client.put("/privacy/rules", blocked)).status).toBe(200);
  expect((await client.put("/data/retention", { rules: [{ keepDays: 30 }] })).status).toBe(200);
  expect(await browser.mutate("privacy.saveRules", { ...shown[0], denyList: ["Ada"] })).toMatchObject({ status: 409 });
  expect(await browser.mutate("privacy.saveRetention", { ...shown[1], rules: [] })).toMatchObject({ status: 409 });
  const { data } = await browser.query("privacy.rules");
  expect(data).toMatchObject(blocked);
  expect(await browser.query("privacy.retention")).toMatchObject({ data: { rules: [{ keepDays: 30 }] } });
  expect(await browser.mutate("privacy.saveRules", { ...(data as object), denyList: ["Ada"] })).toMatchObject({
    data: { ...blocked, denyList: ["Ada"] },
  });
});

test("exports everything, and takes it back after it was deleted", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, ada);
  await client.sync(createMessage({ context: { content: "The keeper lights the lamp." } }));
  const exported = await (await browser.send("GET", "/portal/export")).text();
  expect(exported).toContain("The keeper lights the lamp.");

  const again = await upload(browser, exported);
  expect(await reportOf(again)).toMatchObject({ unchanged: 1, created: 0 });
  const packed = await upload(browser, gzipSync(exported), "application/gzip");
  expect(await reportOf(packed)).toMatchObject({ unchanged: 1 });
  const cut = await upload(browser, exported.slice(0, -20));
  expect([cut.status, await cut.json()]).toEqual([400, expect.objectContaining({ error: "bad_request" })]);
});

test("takes further imports after some whose answer could not be sent", async () => {
  // Room for the import itself, and none for its answer.
  await using server = await TestServer.start({}, { userBytes: limits.importLineBytesMax + 1_048_576 });
  const { browser } = await PortalClient.owner(server, ada);
  const text = exportOf(["a"]);
  const messageOf = async () => ((await (await upload(browser, text)).json()) as { message: string }).message;
  const noRoom = expect.stringContaining("hold more than");
  expect([await messageOf(), await messageOf()]).toEqual([noRoom, noRoom]);
  await expect.poll(messageOf).toEqual(noRoom);
});

test("gives no export without a session, and takes no import from another origin", async ({ server }) => {
  const { browser, key } = await PortalClient.owner(server, ada);
  const stranger = new PortalClient(server);
  expect((await stranger.send("GET", "/portal/export")).status).toBe(401);
  expect((await stranger.send("GET", "/portal/export", undefined, { Authorization: `Bearer ${key}` })).status).toBe(401);
  expect((await upload(stranger, "{}")).status).toBe(401);
  expect((await browser.send("POST", "/portal/import", {}, { Origin: "https://evil.example" })).status).toBe(403);
});

test("erases the person and the account, and answers the receipt", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, ada);
  await client.sync(createMessage());
  // A passkey that was not made in the end: its challenge names the person.
  expect((await browser.send("GET", "/portal/auth/passkey/generate-register-options")).status).toBe(200);
  expect(await browser.erase({ confirm: "somebody@example.org" })).toMatchObject({ status: 400 });
  expect(await browser.erase({ confirm: ada.email })).toMatchObject({
    status: 200,
    data: { counts: { contexts: 1 }, verified: { found: 0 } },
  });
  expect(await server.rows("SELECT value FROM auth_verifications")).toEqual([]);
  expect(await browser.query("session.me")).toMatchObject({ data: null });
  expect(await browser.signIn(ada)).toMatchObject({ status: 401 });
});

test("goes on erasing when the connection is cut", async ({ server, client }) => {
  await fillDays(client, 300);
  const { browser } = await PortalClient.owner(server, ada);
  const left = async () => (await server.rows<{ left: number | string }>("SELECT count(*) AS left FROM contexts"))[0]?.left;
  const cut = new AbortController();
  const erasing = fetch(new URL("/portal/erase", browser.origin), {
    method: "POST",
    headers: { Cookie: browser.cookie, Origin: browser.origin, "Content-Type": "application/json" },
    body: JSON.stringify({ confirm: ada.email }),
    signal: cut.signal,
  });
  await expect.poll(async () => Number(await left()), { interval: 5 }).toBeLessThan(300);
  cut.abort();
  await Promise.allSettled([erasing]);
  await expect.poll(() => server.rows(`SELECT "userId" FROM users`)).toEqual([]);
  expect(Number(await left())).toBe(0);
  expect(await browser.query("session.me")).toMatchObject({ data: null });
});

test("erases nobody for a key, without a session or from another origin", async ({ server, client }) => {
  const { browser, userId } = await PortalClient.owner(server, ada);
  const stranger = new PortalClient(server);
  const headers = { Authorization: `Bearer ${client.key}` };
  for (const body of [{ confirm: ada.email }, { userId, confirm: userId }]) {
    expect((await stranger.send("POST", "/portal/erase", body)).status).toBe(401);
    expect((await stranger.send("POST", "/portal/erase", body, headers)).status).toBe(401);
    expect((await browser.send("POST", "/portal/erase", body, { Origin: "https://evil.example" })).status).toBe(403);
  }
  expect((await browser.send("POST", "/portal/erase", { confirm: [ada.email] })).status).toBe(400);
  expect(await browser.query("session.me")).toMatchObject({ data: { userId } });
});

async function upload(browser: PortalClient, body: string | Uint8Array<ArrayBuffer>, type = "application/x-ndjson"): Promise<Response> {
  return await fetch(new URL("/portal/import", browser.origin), {
    method: "POST",
    headers: { Cookie: browser.cookie, Origin: browser.origin, "Content-Type": type },
    body,
  });
}

/** The last line of an import's answer. */
async function reportOf(answer: Response): Promise<unknown> {
  const line = (await answer.text()).trimEnd().split("\n").at(-1) ?? "";
  return (JSON.parse(line) as { report: unknown }).report;
}
