import { expect } from "vitest";
import { waitingClientsMax } from "../src/oauth/oauth.store.js";
import { OAuthAgent, postForm } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { testEngine } from "./test-database.js";
import { withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

test("a code that is used twice ends what the first use gave", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const used = await agent.code(browser);
  const first = await agent.redeem(used);
  expect(first.status).toBe(200);
  expect(await agent.mcpStatus(first.body["access_token"] as string)).toBe(200);
  expect(await agent.redeem(used)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await agent.mcpStatus(first.body["access_token"] as string)).toBe(401);
  expect(await agent.refresh(first.body["refresh_token"] as string)).toMatchObject({ status: 400 });

  // Both at once.
  const code = await agent.code(browser);
  const answers = await Promise.all([agent.redeem(code), agent.redeem(code)]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2);
  await agent.redeem(code);
  for (const { body } of answers) {
    if (body["access_token"] === undefined) continue;
    expect(await agent.mcpStatus(body["access_token"] as string)).toBe(401);
    expect(await agent.refresh(body["refresh_token"] as string)).toMatchObject({ status: 400 });
  }
});

test("a refresh token is for one use; a later one ends the access", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const first = await agent.connect(browser);
  // Two processes of a host at once.
  const [one, two] = await Promise.all([agent.refresh(first.refresh), agent.refresh(first.refresh)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(await agent.mcpStatus(one.body["access_token"] as string)).toBe(200);
  server.clock.aheadMs = 60_001;
  expect(await agent.refresh(first.refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  expect(await agent.mcpStatus(one.body["access_token"] as string)).toBe(401);
  expect(await agent.refresh(two.body["refresh_token"] as string)).toMatchObject({ status: 400 });
});

test("end with their key, with an earlier key of the program, and when it revokes them", async ({ server }) => {
  const { browser, userId } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const newest = async () => (await server.access.listKeys(userId)).at(-1)?.keyId ?? "";
  const earlier = await agent.connect(browser);
  const later = await agent.connect(browser);
  expect(await agent.mcpStatus(earlier.access)).toBe(401);
  expect(await agent.mcpStatus(later.access)).toBe(200);
  await server.access.revokeKey(await newest());
  expect(await agent.mcpStatus(later.access)).toBe(401);
  expect(await agent.refresh(later.refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });

  const last = await agent.connect(browser);
  await postForm(server, "/oauth/revoke", { token: last.refresh, client_id: "agent_other" });
  expect(await agent.mcpStatus(last.access)).toBe(200);
  expect(await postForm(server, "/oauth/revoke", { token: last.refresh, client_id: agent.clientId })).toMatchObject({ status: 200 });
  expect(await agent.mcpStatus(last.access)).toBe(401);
});

test("end when their user is deleted, and leave nothing", async ({ server }) => {
  const { browser, userId } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const { access, refresh } = await agent.connect(browser);
  const code = await agent.code(browser);
  await server.access.deleteUser(userId);
  expect(await agent.mcpStatus(access)).toBe(401);
  expect(await agent.refresh(refresh)).toMatchObject({ status: 400 });
  expect(await agent.redeem(code)).toMatchObject({ status: 400 });
  expect(await agent.agree(browser)).toMatchObject({ status: 401 });
  expect(await server.rows("SELECT * FROM auth_tokens")).toEqual([]);
});

test("of programs that register, keeps only the newest 1,000 that nobody has approved", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const used = await OAuthAgent.register(server);
  await used.connect(browser);
  const unused = await OAuthAgent.register(server);
  const later = Date.now() + 1_000;
  const at = testEngine() === "sqlite" ? later : `'${new Date(later).toISOString()}'`;
  const rows = Array.from({ length: waitingClientsMax }, (_, index) => `('agent_${index}', 'x', '[]', ${at})`);
  await server.rows(`INSERT INTO auth_clients ("clientId", name, "redirectUris", "createdAt") VALUES ${rows.join()}`);
  server.clock.aheadMs = 60_000;
  const latest = await OAuthAgent.register(server);
  const left = (await server.rows<{ clientId: string }>(`SELECT "clientId" FROM auth_clients`)).map(({ clientId }) => clientId);
  expect(left).toHaveLength(waitingClientsMax + 1);
  expect(left).toEqual(expect.arrayContaining([used.clientId, latest.clientId]));
  expect(left).not.toContain(unused.clientId);
});

test("takes text with a NUL, which PostgreSQL cannot store, for text that is not found", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const fields = { grant_type: "refresh_token", client_id: "agent\0" };
  expect(await postForm(server, "/oauth/token", fields)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
  const odd = "http://127.0.0.1:7777/call\0back";
  const agent = await OAuthAgent.register(server, { redirect_uris: [odd] });
  expect(await agent.agree(browser, { redirect_uri: odd })).toMatchObject({ status: 200 });
});
