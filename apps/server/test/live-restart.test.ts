import { expect } from "vitest";
import { brokenOffAfter, EventStream, LiveClient, liveAt } from "./live-client.js";
import { createMessage } from "./messages.js";
import { withOwnServer as it } from "./test-server.js";

const created = (id: string) => createMessage({ context: { id } });

it("keeps missed events for 15 minutes, then asks to resync", async ({ server, client }) => {
  const at = liveAt(client, server.baseUrl);
  const id = await brokenOffAfter(at, client, "one");
  await client.sync(created("two"));
  server.clock.aheadMs = 14 * 60_000;
  await using inTime = await LiveClient.subscribe(at, { after: id });
  expect(await inTime.event("context.created", "two")).toBeTruthy();
  server.clock.aheadMs = 16 * 60_000;
  await using late = await LiveClient.subscribe(at, { after: id });
  expect(late.frames).toMatchObject([
    { type: "error", error: "resync_required" },
    { type: "subscribed", current: { contextId: "two" } },
  ]);
});

it("asks for no resync while nothing came after the last change, however long ago that was", async ({ server, client }) => {
  const first = await LiveClient.subscribe(liveAt(client, server.baseUrl));
  await client.batch([created("one"), created("two")]);
  const { id } = await first.event("context.created", "two");
  first.kill();
  await server.restart();
  server.clock.aheadMs = 16 * 60_000;
  await using again = await LiveClient.subscribe(liveAt(client, server.baseUrl), { after: id });
  expect(again.frames[0]).toMatchObject({ type: "subscribed", current: { contextId: "two" } });
  await again.event("current.changed", "two");
});

it("continues over a restart of the server, or has to resync", async ({ server, client }) => {
  const first = await LiveClient.subscribe(liveAt(client, server.baseUrl));
  await client.sync(created("one"));
  const { id } = await first.event("current.changed", "one");
  await server.restart();
  expect(first.frames.at(-1)).toEqual({ type: "bye", reason: "restarting", retryAfterSeconds: 1 });
  expect(await first.closed).toBe(1012);
  const same = await LiveClient.subscribe(liveAt(client, server.baseUrl), { after: id });
  expect(same.frames).toMatchObject([{ type: "subscribed", current: { contextId: "one" } }]);
  await client.sync(created("two"));
  await same.event("current.changed", "two");
  same.kill();
  await client.sync(created("three"));
  await server.restart();
  await using last = await LiveClient.subscribe(liveAt(client, server.baseUrl), { after: id });
  const isKept = last.frames[0]?.type === "subscribed";
  if (isKept) await last.event("context.created", "three");
  else expect(last.frames).toMatchObject([{ error: "resync_required" }, { current: { contextId: "three" } }]);
});

it("server-sent events end with bye when the server stops", async ({ server, client }) => {
  await using stream = await EventStream.open(client, server.baseUrl);
  await stream.until("subscribed");
  await server.restart();
  expect((await stream.until("bye")).at(-1)?.frame).toEqual({ type: "bye", reason: "restarting", retryAfterSeconds: 1 });
});
