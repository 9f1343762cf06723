import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { mcpUrl } from "./mcp-connection.js";
import { createMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { withOwnServer as test } from "./test-server.js";

const program = fileURLToPath(new URL("../node_modules/mcp-remote/dist/proxy.js", import.meta.url));

test("mcp-remote signs in by the address alone and calls a tool", async ({ server }) => {
  const { browser, userId } = await PortalClient.owner(server, {
    name: "Ada",
    email: "ada@example.org",
    password: "correct horse battery",
  });
  const owned = await server.client({ userId });
  await owned.sync(createMessage({ context: { id: "mine", title: "Walnut recipes" } }));
  const directory = await mkdtemp(join(tmpdir(), "mcp-remote-"));
  // Without a program that opens browsers: it prints the address, too.
  const env = { MCP_REMOTE_CONFIG_DIR: directory, PATH: "", HOME: directory };
  const stdio = new StdioClientTransport({ command: process.execPath, args: [program, mcpUrl(server).href], env, stderr: "pipe" });
  const client = new Client({ name: "test", version: "1" });
  try {
    const printed = Promise.withResolvers<URL>();
    let said = "";
    stdio.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const [address] = /http:\/\/\S+\/authorize\?\S+(?=\s)/.exec(said) ?? [];
      if (address !== undefined) printed.resolve(new URL(address));
    });
    const connecting = client.connect(stdio);
    const { searchParams } = await Promise.race([
      printed.promise,
      connecting.then(() => Promise.reject(new Error(`It asked nobody: ${said}`))),
    ]);
    const parameters = Object.fromEntries(searchParams);
    const { data } = await browser.mutate("agents.agree", { parameters, scopes: ["read"], maxPrivacyLevel: "restricted" });
    expect((await fetch((data as { redirectTo: string }).redirectTo)).status).toBe(200);
    await connecting;
    const { structuredContent } = await client.callTool({ name: "search_contexts", arguments: { query: "walnut" } });
    expect(JSON.stringify(structuredContent)).toContain("Walnut recipes");
    expect((await server.access.listKeys(userId)).at(-1)).toMatchObject({ scopes: ["read"], revokedAt: null });
  } finally {
    await client.close();
    await rm(directory, { recursive: true, force: true });
  }
});
