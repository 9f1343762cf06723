import { expect } from "vitest";
import { McpConnection } from "./mcp-connection.js";
import { createMessage, updateMessage } from "./messages.js";
import { PortalClient } from "./portal-client.js";
import { TestServer, withOwnServer as test } from "./test-server.js";

const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

const pageAt = (id: string, url: string) => createMessage({ context: { id, tabMetadata: { id: "7", url, title: "A page" } } });

async function show(browser: PortalClient, contextId: string) {
  const { data } = await browser.query("explore.context", { contextId });
  return data as { levelReasons: string[]; lastRead: { keyName: string; keyId: string; at: string } | null };
}

test("says why a context has its level, also after an update that asks for less", async ({ server, client }) => {
  await client.sync(pageAt("mail", "https://mail.google.com/mail/"));
  await client.sync(pageAt("plain", "https://example.com/"));
  const { browser } = await PortalClient.owner(server, person);
  expect((await show(browser, "mail")).levelReasons).toEqual(["category:webmail"]);
  expect((await show(browser, "plain")).levelReasons).toEqual([]);
  await client.sync(updateMessage("mail", { privacyLevel: "public", title: "Another title" }));
  expect((await show(browser, "mail")).levelReasons).toEqual(["category:webmail", "stored:level"]);
  await client.sync(updateMessage("plain", { tabMetadata: { url: "https://mail.google.com/mail/" } }));
  expect((await show(browser, "plain")).levelReasons).toEqual(["category:webmail"]);
});

test("says which key read a context last, across a restart, until the context is deleted", async ({ server, client }) => {
  server.clock.now = Date.UTC(2026, 4, 1, 12);
  await client.sync(pageAt("lamp", "https://example.com/"));
  const agent = await server.client({ userId: client.userId, name: "Agent" });
  const { browser } = await PortalClient.owner(server, person);
  const stranger = await server.client({ name: "Stranger" });
  await agent.get("/context/history");
  await agent.get("/context/search?query=lighthouses");
  await stranger.get("/context/lamp");
  await show(browser, "lamp");
  expect((await show(browser, "lamp")).lastRead).toBeNull();

  await client.get("/context/lamp");
  server.clock.now += 1_000;
  await agent.get("/context/current?maxChars=10");
  const read = { keyName: "Agent", keyId: agent.keyId, at: "2026-05-01T12:00:01.000Z" };
  expect((await show(browser, "lamp")).lastRead).toEqual(read);
  await server.restart();
  expect((await show(browser, "lamp")).lastRead).toEqual(read);
  await client.sync(updateMessage("lamp", { title: "Another title" }, { timestamp: "2026-05-01T12:00:02.000Z" }));
  expect((await show(browser, "lamp")).lastRead).toEqual(read);

  server.clock.now += 60_000;
  await client.get("/context/lamp");
  await browser.mutate("explore.remove", { contextId: "lamp" });
  await server.restart();
  await client.sync({ ...pageAt("lamp", "https://example.com/"), timestamp: "2026-05-01T12:05:00.000Z" });
  expect((await show(browser, "lamp")).lastRead).toBeNull();
  expect(await server.rows(`SELECT "lastReadKeyId" FROM contexts WHERE "lastReadKeyId" IS NOT NULL`)).toEqual([]);
});

test("keeps which first steps have happened, the same for every process", async ({ server, client }) => {
  const { browser } = await PortalClient.owner(server, person);
  const steps = async () => (await browser.query("now.firstSteps")).data;
  // An extension reports on itself before it sends a page.
  await client.sync({ id: "report", type: "config", timestamp: "2026-01-31T12:00:00.000Z", payload: { config: { version: "1.0" } } });
  expect(await steps()).toEqual({ extension: false, agent: false, api: false });
  await client.sync(createMessage());
  // A page or an extension names its origin.
  await client.send("GET", "/context/current", { headers: { Origin: "https://example.com" } });
  expect(await steps()).toEqual({ extension: true, agent: false, api: false });
  await client.get("/context/current");
  await expect.poll(steps).toEqual({ extension: true, agent: false, api: true });
  await using other = await TestServer.start({ databaseUrl: server.config.databaseUrl });
  await using _mcp = await McpConnection.open(other, client);
  await expect.poll(steps).toEqual({ extension: true, agent: true, api: true });
  await server.restart();
  expect(await steps()).toEqual({ extension: true, agent: true, api: true });
});
