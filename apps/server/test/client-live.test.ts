import { AuthenticationError, type LiveEvent, type NewMessage, Periscope, type ResyncEvent } from "@periscope/client";
import { freePort } from "@periscope/harness/free-port";
import { expect } from "vitest";
import { contextFields } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

const periscopeOf = ({ key }: TestClient, baseUrl: string) => new Periscope({ baseUrl, apiKey: key, logLevel: "off" });
const create = (id: string): NewMessage => ({
  type: "create",
  payload: { context: contextFields({ id }) } as Extract<NewMessage, { type: "create" }>["payload"],
});
type Following = AsyncGenerator<LiveEvent | ResyncEvent, void, undefined>;

/** The next event of a name, and of a context. */
async function next(events: Following, name: LiveEvent["event"], contextId?: string): Promise<LiveEvent> {
  for (;;) {
    const { value } = await events.next();
    if (!value) throw new Error("the iteration ended");
    if (value.event === name && (contextId === undefined || value.context?.contextId === contextId)) return value;
  }
}

/** The first event. Whether it is subscribed yet is not to be seen from outside: it is syncing until then. */
async function firstChange(events: Following, periscope: Periscope): Promise<LiveEvent> {
  const first = next(events, "current.changed");
  let isOver = false;
  const end = () => (isOver = true);
  first.then(end, end);
  for (let count = 0; !isOver; count++) await periscope.sync(create(`c${count}`));
  return await first;
}

it("live() yields events and ends on abort", async ({ server, client }) => {
  const periscope = periscopeOf(client, server.baseUrl);
  await periscope.sync(create("zero"));
  const ending = new AbortController();
  const events = periscope.live({ signal: ending.signal, filter: { type: "page" } });
  expect(await firstChange(events, periscope)).toMatchObject({ context: { type: "page", contentLength: 58 } });
  const ended = (async () => {
    for await (const { event } of events) expect(event).toMatch(/^(?:context|current)\./);
  })();
  ending.abort();
  await ended;
  await expect(events.next()).resolves.toEqual({ done: true, value: undefined });
});

it("live() continues over a restart without a gap, or says resync", async () => {
  await using server = await TestServer.start({ port: await freePort() });
  const client = await server.client();
  const periscope = periscopeOf(client, server.baseUrl);
  const start = periscope.live();
  await firstChange(start, periscope);
  await periscope.sync(create("one"));
  const { id } = await next(start, "current.changed", "one");
  await start.return();
  await periscope.sync(create("two"));
  const events = periscope.live({ after: id });
  expect(await next(events, "context.created")).toMatchObject({ context: { contextId: "two" } });
  await server.restart();
  await periscope.sync(create("three"));
  for (;;) {
    const { value } = await events.next();
    if (!value) throw new Error("the iteration ended");
    const found = value.event === "resync" ? value.current?.contextId : value.context?.contextId;
    if (found === "three") break;
  }
  await events.return();
});

it("live() throws when the place or the filter is refused", async ({ server, client }) => {
  const periscope = periscopeOf(client, server.baseUrl);
  for (const wrong of [{ after: "x" }, { filter: { tabId: "" } }])
    await expect(periscope.live(wrong).next()).rejects.toMatchObject({
      name: "PeriscopeError",
      message: expect.stringMatching(/^live\(\): (?:after|filter)/),
    });
});

it("live() throws when the key is refused, also later", async ({ server, client }) => {
  const refused = new Periscope({ baseUrl: server.baseUrl, apiKey: `${client.key}x`, logLevel: "off" });
  const failure: unknown = await refused
    .live()
    .next()
    .catch((error: unknown) => error);
  expect(AuthenticationError.is(failure)).toBe(true);
  const events = periscopeOf(client, server.baseUrl).live();
  const later = events.next().catch((error: unknown) => error);
  await expect
    .poll(async () => (await (await fetch(new URL("/metrics", server.baseUrl))).text()).includes('connections{transport="websocket"} 1'))
    .toBe(true);
  await server.access.revokeKey(client.keyId);
  expect(AuthenticationError.is(await later)).toBe(true);
});
