import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type RunningServer, startServer } from "@periscope/harness/server";
import { expect, test } from "vitest";
import { startExtensionBrowser } from "../build/browser.ts";
import { type Settings, initialSettings } from "../src/settings/settings.js";
import { keeper, startSite } from "./local-site.ts";

const ferry = `<title>The last ferry</title><article><h1>The ferry</h1><p>It leaves when the lamp is lit.</p></article>`;
const patience = { timeout: 60_000 };

/** An agent that reads what the person looks at whenever it hears that this has changed. */
async function startAgent({ baseUrl, key }: RunningServer) {
  const uri = "periscope://current";
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit }));
  const seen: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", async () => {
    const { contents } = await client.readResource({ uri });
    seen.push(contents.map((content) => ("text" in content ? content.text : "")).join());
  });
  await client.listen({ resourceSubscriptions: [uri] });
  return { seen, [Symbol.asyncDispose]: () => client.close() };
}

test("tells a subscribed agent that the person turned to another tab", async () => {
  await using server = await startServer();
  await using site = await startSite({ "/keeper": keeper, "/ferry": ferry });
  await using chromium = await startExtensionBrowser();
  const settings: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: server.baseUrl, account: "ada" };
  const welcome = await (await chromium.browser.waitForTarget((target) => target.url().endsWith("welcome.html"))).asPage();
  await welcome.evaluate(async (items) => await chrome.storage.local.set(items), { settings, key: server.key });
  await using agent = await startAgent(server);

  const tabs = [];
  for (const [path, title] of [["keeper", "The keeper of the lighthouse"] as const, ["ferry", "The last ferry"] as const]) {
    const tab = await chromium.browser.newPage();
    await tab.goto(`${site.url}/${path}`);
    await expect.poll(() => agent.seen.at(-1), patience).toContain(title);
    tabs.push(tab);
  }
  await tabs[0]?.bringToFront();
  await expect.poll(() => agent.seen.at(-1), patience).toContain("The keeper of the lighthouse");
});
