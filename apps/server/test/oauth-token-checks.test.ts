import { expect } from "vitest";
import { newSecret } from "../src/access/authenticator.js";
import { callMcp, OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

test("a code needs its verifier, its client and its address, and a wrong attempt does not spend it", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const [agent, other] = [await OAuthAgent.register(server), await OAuthAgent.register(server)];
  const wrong: Record<string, string | undefined>[] = [
    { code_verifier: other.verifier },
    { code_verifier: undefined },
    { client_id: other.clientId },
    { redirect_uri: "http://127.0.0.1:7778/callback" },
  ];
  for (const changes of wrong) {
    const code = await agent.code(browser);
    expect(await agent.redeem(code, changes)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    const { status, body } = await agent.redeem(code);
    expect(status).toBe(200);
    // Nor does one after it end the access.
    expect(await agent.redeem(code, changes)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await agent.mcpStatus(body["access_token"] as string)).toBe(200);
  }
  expect(await agent.redeem(await agent.code(browser), { resource: "https://attacker.example/mcp" })).toMatchObject({
    body: { error: "invalid_target" },
  });
  expect(await agent.redeem(await agent.code(browser), { client_id: "agent_unknown" })).toMatchObject({
    status: 401,
    body: { error: "invalid_client" },
  });
  const late = await agent.code(browser);
  server.clock.aheadMs = 120_000;
  expect(await agent.redeem(late)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
});

test("a refresh token in the hands of another client is not spent", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const [agent, other] = [await OAuthAgent.register(server), await OAuthAgent.register(server)];
  const { refresh } = await agent.connect(browser);
  expect(await other.refresh(refresh)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  server.clock.aheadMs = 60_001;
  expect(await agent.refresh(refresh)).toMatchObject({ status: 200 });
});

test("an access token opens /mcp only, and a refresh token and a code nothing", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const { access, refresh } = await agent.connect(browser);
  expect(await agent.mcpStatus(access)).toBe(200);
  const ask = (token: string) => fetch(`${server.baseUrl}/key`, { headers: { Authorization: `Bearer ${token}` } });
  expect((await ask(access)).status).toBe(401);
  expect(await agent.mcpStatus(refresh)).toBe(401);
  expect(await agent.mcpStatus(await agent.code(browser))).toBe(401);
  const res = await new PortalClient(server).send("GET", "/portal/trpc/session.me", undefined, { Authorization: `Bearer ${access}` });
  expect(await res.json()).toMatchObject({ result: { data: null } });
});

test("a made-up token does not lock out the key whose id it bears", async ({ server }) => {
  const client = await server.client();
  const madeUp = newSecret("pat", client.keyId);
  expect((await callMcp(server, `Bearer ${madeUp}`)).status).toBe(401);
  expect((await client.get("/key")).status).toBe(200);
});

test("tokens expire 30 days after the last refresh, and are stored as hashes", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, person);
  const agent = await OAuthAgent.register(server);
  const { access, refresh } = await agent.connect(browser);
  const stored = JSON.stringify(await server.rows("SELECT * FROM auth_tokens"));
  for (const secret of [access, refresh]) expect(stored).not.toContain(secret.slice(-43));
  server.clock.aheadMs = 20 * 86_400_000;
  const again = await agent.refresh(refresh);
  expect(again.status).toBe(200);
  server.clock.aheadMs = 49 * 86_400_000;
  const last = await agent.refresh(again.body["refresh_token"] as string);
  expect(last.status).toBe(200);
  server.clock.aheadMs = 79 * 86_400_000;
  expect(await agent.refresh(last.body["refresh_token"] as string)).toMatchObject({ status: 400 });
});
