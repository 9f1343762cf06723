import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { hangMs } from "@periscope/harness/chromium";
import { owner, startPortal } from "@periscope/harness/portal";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect } from "vitest";
import { agentConfigurations } from "../src/connect/configurations.ts";
import { sendPages } from "./contexts.ts";
import { test } from "./portal-test.ts";

/** What Claude Desktop reads. */
interface DesktopConfiguration {
  mcpServers: { periscope: { command: string; args: string[]; env?: Record<string, string> } };
}

const mcpRemote = createRequire(import.meta.url).resolve("mcp-remote/dist/proxy.js");

test("shows configurations without a key, by which an agent signs in and finds pages", async ({ chromium }) => {
  await using portal = await startPortal();
  await using home = await temporaryDirectory("periscope-mcp-remote-");
  await sendPages(portal, [{ id: "keeper", title: "The keeper of the lighthouse" }]);
  const page = await chromium.open(portal.setupUrl);
  await page.waitForSelector("[name=name]");
  for (const [name, text] of Object.entries(owner)) await page.locator(`[name=${name}]`).fill(text);
  await page.locator("[type=submit]").click();
  const key = (await page.waitForSelector("[data-key]").then((element) => element?.evaluate((code) => code.textContent))) ?? "";
  const shown = async (program: string) => {
    await page.locator(`::-p-aria([name='${program}'][role='tab'])`).click();
    return await page.$eval("[role=tabpanel]:not([hidden]) pre", (pre) => pre.textContent);
  };
  for (const program of ["Claude Code", "Cursor", "VS Code"]) {
    const text = await shown(program);
    expect(text).toContain(`${portal.origin}/mcp`);
    expect(text).not.toContain("Authorization");
  }
  const { mcpServers } = JSON.parse(await shown("Claude Desktop")) as DesktopConfiguration;
  expect(mcpServers.periscope).toEqual({ command: "npx", args: ["-y", "mcp-remote", `${portal.origin}/mcp`] });

  // As npx starts it, without a program that opens browsers: it prints the address, too.
  const [, , ...args] = mcpServers.periscope.args;
  const env = { MCP_REMOTE_CONFIG_DIR: home.path, HOME: home.path, PATH: "" };
  const stdio = new StdioClientTransport({ command: process.execPath, args: [mcpRemote, ...args], env, stderr: "pipe" });
  await using client = disposable(new Client({ name: "test", version: "1" }));
  const asked = Promise.withResolvers<string>();
  let said = "";
  stdio.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    const [address] = /http:\/\/\S+\/authorize\?\S+(?=\s)/.exec(said) ?? [];
    if (address !== undefined) asked.resolve(address);
  });
  const connecting = client.connect(stdio, { timeout: hangMs });
  const consent = await page.browserContext().newPage();
  consent.setDefaultTimeout(hangMs);
  await consent.goto(await Promise.race([asked.promise, connecting.then(() => Promise.reject(new Error(`It asked nobody: ${said}`)))]));
  await consent.locator("button ::-p-text(Connect)").click();
  await connecting;
  const { structuredContent } = await client.callTool({ name: "search_contexts", arguments: { query: "lighthouse" } });
  expect(JSON.stringify(structuredContent)).toContain("The keeper of the lighthouse");

  await page.bringToFront();
  await page.waitForSelector("::-p-text(An agent has asked for your contexts.)");
  await page.locator("::-p-aria([name='With this key'])").click();
  for (const program of ["Claude Code", "Cursor", "VS Code"]) expect(await shown(program)).toContain(key);
  const withKey = (JSON.parse(await shown("Claude Desktop")) as DesktopConfiguration).mcpServers.periscope;
  expect(withKey).toMatchObject({ command: "npx", args: ["-y", "mcp-remote", `${portal.origin}/mcp`, "--header", expect.any(String)] });
  const keyed = new StdioClientTransport({
    command: process.execPath,
    args: [mcpRemote, ...withKey.args.slice(2)],
    env: { ...env, ...withKey.env },
    stderr: "pipe",
  });
  await using keyHolder = disposable(new Client({ name: "test", version: "1" }));
  await keyHolder.connect(keyed, { timeout: hangMs });
  expect((await keyHolder.listTools()).tools.map(({ name }) => name)).toContain("search_contexts");
});

function disposable(client: Client) {
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

test.for([
  ["http://192.168.1.20:3000", true],
  ["http://127.0.0.1:3000", false],
  ["http://localhost:3000", false],
  ["https://periscope.example", false],
] as const)("lets Claude Desktop use plain HTTP to another machine: %s", ([origin, isAllowed]) => {
  for (const key of [undefined, "psk_key"]) {
    const desktop = agentConfigurations(origin, key).find(({ program }) => program === "Claude Desktop");
    expect(desktop?.text.includes('"--allow-http"')).toBe(isAllowed);
  }
});
