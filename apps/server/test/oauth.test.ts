import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { callback, callMcp, OAuthAgent, postJson } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { rawRequest } from "./raw-request.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

/** An MCP host, as the official client knows one. What it opens in the browser is kept in `opened`. */
class Host implements OAuthClientProvider {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: "Official client", redirect_uris: [callback] };
  opened: URL | undefined;
  #client: any;
  #tokens: any;
  #verifier = "";
  #discovery: any;

  clientInformation = () => this.#client;
  saveClientInformation = (client: any) => void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: any) => void (this.#tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.opened = url);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovery;
  saveDiscoveryState = (state: any) => void (this.#discovery = state);
  state = () => "of-the-host";
}

async function connect(server: TestServer, host: Host): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(mcpUrl(server), { authProvider: host }));
  return client;
}

describe("the official MCP client", () => {
  test("finds the way to sign in by the address alone, calls a tool and refreshes", async ({ server }) => {
    const { browser, userId, key } = await PortalClient.owner(server, person);
    const owned = await server.client({ userId });
    await owned.sync(createMessage({ context: { id: "mine", title: "Walnut recipes" } }));
    const host = new Host();
    await expect(connect(server, host)).rejects.toThrow(UnauthorizedError);
    const parameters = Object.fromEntries(host.opened?.searchParams ?? []);
    expect(host.opened?.pathname).toBe("/authorize");
    expect(parameters).toMatchObject({ code_challenge_method: "S256", resource: mcpUrl(server).href, scope: "read delete" });
    const { data } = await browser.mutate("agents.agree", { parameters, scopes: ["read"], maxPrivacyLevel: "private" });
    const answer = new URL((data as { redirectTo: string }).redirectTo);
    expect(answer.searchParams.get("state")).toBe("of-the-host");
    await new StreamableHTTPClientTransport(mcpUrl(server), { authProvider: host }).finishAuth(answer.searchParams);

    const first = await connect(server, host);
    const { structuredContent } = await first.callTool({ name: "search_contexts", arguments: { query: "walnut" } });
    expect(JSON.stringify(structuredContent)).toContain("Walnut recipes");
    await first.close();
    const { access_token: firstToken } = host.tokens();
    // An hour later the access token has expired.
    server.clock.aheadMs = 3_600_000;
    const second = await connect(server, host);
    expect((await second.listTools()).tools.map(({ name }) => name)).not.toContain("delete_context");
    await second.close();
    expect(host.tokens().access_token).not.toBe(firstToken);
    expect(await server.access.listKeys(userId)).toMatchObject([
      { name: "first key" },
      {},
      { name: "Official client", scopes: ["read"], maxPrivacyLevel: "private", revokedAt: null, lastUsedAt: expect.any(Number) },
    ]);
    expect((await callMcp(server, `Bearer ${key}`)).status).toBe(200);
  });

  test("refuses an answer that names another server as its issuer", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const host = new Host();
    await expect(connect(server, host)).rejects.toThrow(UnauthorizedError);
    const parameters = Object.fromEntries(host.opened?.searchParams ?? []);
    const { data } = await browser.mutate("agents.agree", { parameters, scopes: ["read"], maxPrivacyLevel: "private" });
    const { searchParams } = new URL((data as { redirectTo: string }).redirectTo);
    expect(searchParams.get("iss")).toBe(browser.origin);
    searchParams.set("iss", "https://attacker.example");
    const transport = new StreamableHTTPClientTransport(mcpUrl(server), { authProvider: host });
    await expect(transport.finishAuth(searchParams)).rejects.toThrow(/issuer/i);
  });
});

describe("discovery", () => {
  test("answers 401 at /mcp with the address of the metadata and what to do", async ({ server }) => {
    const { origin } = new URL(server.baseUrl);
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    for (const [authorization, suffix] of [
      [undefined, ""],
      ["Bearer wrong", ', error="invalid_token"'],
    ] as const) {
      const res = await callMcp(server, authorization);
      expect(res.status).toBe(401);
      expect(res.headers.get("www-authenticate")).toBe(`Bearer resource_metadata="${metadata}"${suffix}`);
      expect(await res.json()).toMatchObject({ error: "unauthorized", message: expect.stringContaining("by its address only") });
    }
    expect((await fetch(`${server.baseUrl}/key`)).headers.get("www-authenticate")).toBe("Bearer");
  });

  test("serves the metadata where clients look, under the name they use", async ({ server }) => {
    const { port } = new URL(server.baseUrl);
    for (const host of ["127.0.0.1", "localhost"]) {
      const issuer = `http://${host}:${port}`;
      const get = async (path: string) => (await fetch(`${issuer}/.well-known/${path}`)).json() as Promise<Record<string, unknown>>;
      for (const path of ["oauth-protected-resource", "oauth-protected-resource/mcp"])
        expect(await get(path)).toMatchObject({ resource: `${issuer}/mcp`, authorization_servers: [issuer] });
      for (const path of ["oauth-authorization-server", "oauth-authorization-server/mcp"])
        expect(await get(path)).toMatchObject({
          issuer,
          token_endpoint: `${issuer}/oauth/token`,
          code_challenge_methods_supported: ["S256"],
        });
    }
  });

  it("names only PUBLIC_URL behind a proxy", async () => {
    await using server = await TestServer.start({ publicUrl: "https://memory.example.org" });
    const url = new URL("/.well-known/oauth-protected-resource/mcp", server.address);
    expect(await (await fetch(url)).json()).toMatchObject({
      resource: "https://memory.example.org/mcp",
      authorization_servers: ["https://memory.example.org"],
    });
  });

  it("keeps to the https of a PUBLIC_URL on this machine, under the name that clients use", async () => {
    await using server = await TestServer.start({ publicUrl: "https://localhost" });
    for (const host of ["localhost", "localhost:8443", "127.0.0.1"]) {
      const path = "/.well-known/oauth-protected-resource/mcp";
      const { text } = await rawRequest(server.address, { path, headers: { Host: host } });
      expect(JSON.parse(text)).toMatchObject({ resource: `https://${host}/mcp`, authorization_servers: [`https://${host}`] });
    }
  });
});

describe("registration", () => {
  test("takes https, this machine and the schemes of apps, and keeps no secret", async ({ server }) => {
    const uris = [
      "https://claude.ai/api/mcp/auth_callback",
      "http://localhost:33418/",
      "http://[::1]/",
      "cursor://anysphere.cursor-mcp/oauth/callback",
    ];
    const { status, body } = await postJson(server, "/oauth/register", {
      client_name: "Cur\u202esor\n\u200b app",
      redirect_uris: uris,
      token_endpoint_auth_method: "client_secret_basic",
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ client_name: "Cur sor app", redirect_uris: uris, token_endpoint_auth_method: "none" });
    expect(body).not.toHaveProperty("client_secret");
  });

  test("refuses addresses that no program, or anybody, could read", async ({ server }) => {
    const refused = [
      "javascript:alert(1)",
      "data:text/html,x",
      "http://example.org/callback",
      "http://127.0.0.1.example.org/",
      "https://user:pass@example.org/",
      "https://example.org/#fragment",
      "/relative",
    ];
    for (const uri of refused)
      expect(await postJson(server, "/oauth/register", { redirect_uris: [uri] })).toMatchObject({
        status: 400,
        body: { error: "invalid_redirect_uri" },
      });
    expect(await server.rows("SELECT * FROM auth_clients")).toEqual([]);
  });

  test("is at one path only, as the metrics count it", async ({ server }) => {
    for (const path of ["/OAuth/register", "/oauth/register/"])
      expect((await fetch(new URL(path, server.address), { method: "POST" })).status).toBe(404);
    expect(await (await fetch(new URL("/metrics", server.address))).text()).not.toMatch(/route="\/(?:OAuth|oauth\/register\/)/);
  });

  test("is limited by address", async ({ server }) => {
    server.clock.now = Date.now();
    const answers = await Promise.all(Array.from({ length: 15 }, () => postJson(server, "/oauth/register", { redirect_uris: [callback] })));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
  });
});

describe("consent", () => {
  test("names the program, where the answer goes, and what it asks for", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const agent = await OAuthAgent.register(server);
    const { data } = await agent.ask(browser);
    expect(data).toMatchObject({ clientName: "Notebook", destination: "127.0.0.1:7777", scopes: ["read", "delete"] });
    expect((data as { refuseTo: string }).refuseTo).toMatch(/^http:\/\/127\.0\.0\.1:7777\/callback\?error=access_denied&.*iss=/);
    expect(await server.access.listKeys()).toHaveLength(1);
  });

  test("lets the person lower scopes and level, and never raise them", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const agent = await OAuthAgent.register(server);
    expect(await agent.agree(browser, {}, { scopes: ["read", "write"] })).toMatchObject({ status: 400 });
    await agent.connect(browser, { scopes: ["read"], maxPrivacyLevel: "public" });
    expect((await server.access.listKeys()).at(-1)).toMatchObject({ name: "Notebook", scopes: ["read"], maxPrivacyLevel: "public" });
  });

  test("needs a session, and a request of the portal's own origin", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const agent = await OAuthAgent.register(server);
    const input = { parameters: agent.query(), scopes: ["read"], maxPrivacyLevel: "public" };
    expect(await agent.ask(new PortalClient(server))).toMatchObject({ status: 401 });
    expect(await agent.agree(new PortalClient(server))).toMatchObject({ status: 401 });
    for (const Origin of ["https://attacker.example", "null", undefined])
      expect((await browser.send("POST", "/portal/trpc/agents.agree", input, { Origin })).status).toBe(403);
    expect(await server.access.listKeys()).toHaveLength(1);
  });

  test("sends nothing to an address that was not registered", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const agent = await OAuthAgent.register(server, { redirect_uris: ["https://app.example/callback", callback] });
    const others = [
      "https://attacker.example/callback",
      "https://app.example/callback/..",
      "https://app.example/callback/",
      "https://app.example/Callback",
      "https://app.example/callback#x",
      "https://app.example\\@attacker.example/callback",
      "https://app.example@attacker.example/callback",
      "http://app.example/callback",
      "http://127.0.0.1:7777/callback/",
      "http://127.0.0.1:7777/callback#x",
      "http://localhost:7777/callback",
      "https://app.example/callback?x=1",
      "http://127.0.0.1:1/other",
      "https://app.example:444/callback",
    ];
    for (const redirect_uri of others) {
      expect(await agent.ask(browser, { redirect_uri })).toMatchObject({ status: 400 });
      expect(await agent.agree(browser, { redirect_uri })).toMatchObject({ status: 400 });
    }
    expect(await agent.ask(browser, { client_id: "agent_unknown" })).toMatchObject({ status: 400 });
    // On this machine the port is free (RFC 8252).
    expect(await agent.ask(browser, { redirect_uri: "http://127.0.0.1:50123/callback" })).toMatchObject({
      data: { destination: "127.0.0.1:50123" },
    });
  });

  test("refuses PKCE by plain text, none, and tokens for another resource", async ({ server }) => {
    const { browser } = await PortalClient.owner(server, person);
    const agent = await OAuthAgent.register(server);
    const faulty: Record<string, string | undefined>[] = [
      { code_challenge_method: "plain", code_challenge: agent.verifier },
      { code_challenge_method: undefined },
      { code_challenge: undefined, code_challenge_method: undefined },
      { resource: "https://attacker.example/mcp" },
      { resource: server.baseUrl },
      { response_type: "token" },
    ];
    for (const changes of faulty) {
      expect((await agent.ask(browser, changes)).data).toMatchObject({
        fault: expect.any(String),
        refuseTo: expect.stringContaining("error=invalid_"),
      });
      expect(await agent.agree(browser, changes)).toMatchObject({ status: 400 });
    }
  });
});
