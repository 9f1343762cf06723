import { hangMs } from "@periscope/harness/chromium";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { RunningServer } from "@periscope/harness/server";
import { expect, test } from "vitest";
import { connect, startStage } from "./connected.ts";
import { keeper } from "./local-site.ts";

const ferry = `<title>The last ferry</title><article><h1>The ferry</h1><p>It leaves when the lamp is lit.</p></article>`;
const patience = { timeout: hangMs };

/** An agent that reads what the person looks at whenever it hears that this has changed. */
async function startAgent({ baseUrl, key }: RunningServer) {
  const uri = "periscope://current";
  const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), { requestInit }));
  const seen: string[] = [];
  const read = async () => {
    const { contents } = await client.readResource({ uri });
    seen.push(contents.map((content) => ("text" in content ? content.text : "")).join());
  };
  // One after the other: an answer that comes late would be taken for the newest.
  let reading = Promise.resolve();
  client.setNotificationHandler("notifications/resources/updated", () => (reading = reading.then(read)));
  await client.listen({ resourceSubscriptions: [uri] });
  return { seen, [Symbol.asyncDispose]: () => client.close() };
}

test("tells an agent of the current tab, and the server of version and queue", async () => {
  await using stage = await startStage({ "/keeper": keeper, "/ferry": ferry });
  const { server, site, chromium } = stage;
  await connect(chromium, server);
  await using agent = await startAgent(server);

  const tabs = [];
  for (const [path, title] of [["keeper", "The keeper of the lighthouse"] as const, ["ferry", "The last ferry"] as const]) {
    const tab = await chromium.newPage();
    await tab.goto(`${site.url}/${path}`);
    await expect.poll(() => agent.seen.at(-1), patience).toContain(title);
    tabs.push(tab);
  }
  await tabs[0]?.bringToFront();
  await expect.poll(() => agent.seen.at(-1), patience).toContain("The keeper of the lighthouse");

  // Under an id that stays the same.
  const told = async () => {
    const response = await fetch(`${server.baseUrl}/data/export`, { headers: { Authorization: `Bearer ${server.key}` } });
    const lines = (await response.text()).trim().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => "config" in line);
  };
  const { version, installation } = await (
    await chromium.worker()
  ).evaluate(async () => ({
    ...chrome.runtime.getManifest(),
    ...(await chrome.storage.local.get<{ installation: string }>("installation")),
  }));
  expect(installation).toMatch(/^chrome-[\da-f]{8}$/);
  const config = { version, waitingMessages: 0, refusedMessages: 0 };
  await expect.poll(told, patience).toEqual([expect.objectContaining({ extensionId: installation, config })]);
});
