import { expect, it } from "vitest";
import { LiveClient, liveAt } from "./live-client.js";
import { createMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

const created = (id: string) => createMessage({ context: { id } });

it("sends the events of all processes in commit order, and resumes at any of them", async () => {
  await using one = await TestServer.start();
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  const elsewhere = client.at(() => two.baseUrl);
  const first = await LiveClient.subscribe(liveAt(client, one.baseUrl));
  const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
  for (const [index, name] of names.entries()) await (index % 2 === 0 ? client : elsewhere).sync(created(name));
  const { id } = await first.event("context.created", "c19");
  expect(first.events.filter((event) => event.startsWith("context"))).toEqual(names.map((name) => `context.created ${name}`));
  first.kill();
  await client.sync(created("missed"));
  await using again = await LiveClient.subscribe(liveAt(client, two.baseUrl), { after: id });
  await again.event("current.changed", "missed");
  await client.sync(created("last"));
  await again.event("current.changed", "last");
  expect(again.events.filter((event) => event.startsWith("context"))).toEqual(["context.created missed", "context.created last"]);
});

it("loses no event when a process is replaced", async () => {
  await using one = await TestServer.start();
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  const elsewhere = client.at(() => two.baseUrl);
  const live = await LiveClient.subscribe(liveAt(client, one.baseUrl));
  await elsewhere.sync(created("before"));
  const { id } = await live.event("context.created", "before");
  await one.restart();
  expect((await live.closed) > 0).toBe(true);
  await elsewhere.sync(created("meanwhile"));
  await using again = await LiveClient.subscribe(liveAt(client, one.baseUrl), { after: id });
  await again.event("context.created", "meanwhile");
  expect(again.frames.map(({ type }) => type)).not.toContain("error");
});

it("a ticket of one process opens one connection at another", async () => {
  await using one = await TestServer.start();
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  const { ticket } = (await client.send("POST", "/live/tickets")).body;
  const options = { protocols: ["periscope.v1", `ticket.${ticket}`], headers: { Authorization: undefined } };
  await using live = await LiveClient.open(liveAt(client, two.baseUrl), options);
  await live.settled();
  await expect(LiveClient.open(liveAt(client, one.baseUrl), options)).rejects.toThrow("401");
});

it("hears of a commit whose notification was lost", async () => {
  await using one = await TestServer.start();
  await using two = await TestServer.start({ databaseUrl: one.config.databaseUrl });
  const client = await one.client();
  await using live = await LiveClient.subscribe(liveAt(client, one.baseUrl));
  const listeners = () =>
    one.rows<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'periscope live' AND datname = current_database()",
    );
  await expect.poll(listeners).toHaveLength(1);
  await one.rows(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'periscope live' AND datname = current_database()",
  );
  await client.at(() => two.baseUrl).sync(created("page"));
  await live.event("current.changed", "page");
  await expect.poll(listeners).toHaveLength(1);
});
