import { beforeEach, expect, test, vi } from "vitest";
import { PeriscopeError } from "./errors/periscope-error.js";
import { answers, cuts, ScriptedService } from "../test/scripted-service.js";

/** A connection on which nothing comes but what the test sends. */
class TestSocket extends EventTarget {
  static readonly OPEN = 1;
  static opened: TestSocket[] = [];
  readyState = 1;
  readonly sent: { type: string; after?: string }[] = [];

  constructor() {
    super();
    TestSocket.opened.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  receive(frame: object): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  /** As on a network that is gone: closing begins, and nothing ever answers it. */
  close(): void {
    this.readyState = 2;
  }

  /** The handshake is refused, as Node 22 tells it. */
  refuse(): void {
    this.readyState = 0;
    this.dispatchEvent(new Event("error"));
  }

  /** The service closes. */
  drop(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

/** The connections so far, when there are as many as `count`. */
async function sockets(count: number): Promise<TestSocket[]> {
  await vi.waitFor(() => expect(TestSocket.opened).toHaveLength(count), { timeout: 60_000 });
  return TestSocket.opened;
}

/** A service that gives tickets. Its network puts a WebSocket of its own in place, so that the test's comes after it. */
function serviceWithSockets(): ScriptedService {
  const service = new ScriptedService(answers(201, { ticket: "t", expiresAt: "2026-01-31T12:00:30Z" }));
  vi.stubGlobal("WebSocket", TestSocket);
  return service;
}

/** Replaced while a test stands for a browser that lacks a part of it. */
const OwnSymbol = Symbol;

beforeEach(() => void (TestSocket.opened = []));

test("live() continues after the last event that it yielded, whatever place the service names", async () => {
  using service = serviceWithSockets();
  let begun = 0;
  const events = service.client().live({ onSubscribed: () => void begun++ });
  const first = events.next();
  const [socket] = await sockets(1);
  socket?.receive({ type: "subscribed", id: "1", current: null });
  socket?.receive({ type: "event", id: "2", event: "context.deleted" });
  socket?.receive({ type: "event", id: "3", event: "context.deleted" });
  expect((await first).value).toMatchObject({ id: "2" });
  expect((await events.next()).value).toMatchObject({ id: "3" });
  const next = events.next();
  socket?.drop();
  const [, second] = await sockets(2);
  await vi.waitFor(() => expect(second?.sent).toMatchObject([{ type: "subscribe", after: "3" }]));
  // It breaks before what was missed has come.
  second?.receive({ type: "subscribed", id: "9", current: null });
  second?.drop();
  const [, , third] = await sockets(3);
  await vi.waitFor(() => expect(third?.sent).toMatchObject([{ type: "subscribe", after: "3" }]));
  third?.receive({ type: "event", id: "4", event: "context.deleted" });
  expect((await next).value).toMatchObject({ id: "4" });
  expect(begun).toBe(2);
  await events.return();
});

test("live() warns once an outage, with address and reason but no key", async () => {
  const ticket = answers(201, { ticket: "t", expiresAt: "2026-01-31T12:00:30Z" });
  using service = new ScriptedService(cuts, cuts, ticket, ticket, ticket, ticket);
  vi.stubGlobal("WebSocket", TestSocket);
  const warned: [string, object][] = [];
  const ignore = () => {};
  const logger = { error: ignore, warn: (...line: [string, object]) => void warned.push(line), info: ignore, debug: ignore };
  const { baseUrl } = service.client();
  const keyed = `${baseUrl}/psk_abc_0123456789/api/v1`;
  const ending = new AbortController();
  const following = service.client({ baseUrl: keyed, logger, logLevel: "warn", maxRetries: 0 }).live({ signal: ending.signal }).next();
  const [first] = await sockets(1);
  first?.receive({ type: "subscribed", id: "1", current: null });
  first?.drop();
  const [, second] = await sockets(2);
  second?.drop();
  const [, , third] = await sockets(3);
  third?.drop();
  await sockets(4);
  ending.abort();
  await following;
  const line = (reason: string) => [
    "periscope: tries the live channel again",
    { baseUrl: `${baseUrl}/[key]/api/v1`, reason: expect.stringContaining(reason), waitMs: expect.any(Number) },
  ];
  expect(warned).toEqual([line(`no answer from ${baseUrl}/[key]/api/v1: `), line("the WebSocket was closed")]);
});

test("live() tries again when a handshake is refused and the socket never closes", async () => {
  using service = serviceWithSockets();
  const ending = new AbortController();
  const following = service.client().live({ signal: ending.signal }).next();
  const [first] = await sockets(1);
  first?.refuse();
  await sockets(2);
  ending.abort();
  expect(await following).toEqual({ done: true, value: undefined });
});

test("live() throws what the service says of a wrong place", async () => {
  using service = serviceWithSockets();
  const following = service.client().live({ after: "x" }).next();
  const [socket] = await sockets(1);
  socket?.receive({ type: "error", error: "bad_request", message: "after: must be an id of an event" });
  await expect(following).rejects.toThrow(new PeriscopeError("live(): after: must be an id of an event"));
  expect(socket?.readyState).toBe(2);
});

test("live() says that it needs a WebSocket where the runtime has none", async () => {
  using service = serviceWithSockets();
  vi.stubGlobal("WebSocket", undefined);
  const error = new PeriscopeError("live() needs a global WebSocket: Node 22, Deno, Bun, a browser or a worker.");
  await expect(service.client().live().next()).rejects.toThrow(error);
  expect(service.received).toEqual([]);
});

test("live() pings a silent connection, and replaces it after a minute and a half", async () => {
  using service = serviceWithSockets();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  try {
    const ending = new AbortController();
    const following = service.client().live({ signal: ending.signal }).next();
    const [first] = await sockets(1);
    vi.advanceTimersByTime(60_000);
    expect(first?.readyState).toBe(1);
    expect(first?.sent.map(({ type }) => type)).toEqual(["subscribe", "ping", "ping"]);
    vi.advanceTimersByTime(30_000);
    expect(first?.readyState).toBe(2);
    await sockets(2);
    ending.abort();
    expect(await following).toEqual({ done: true, value: undefined });
  } finally {
    vi.useRealTimers();
  }
});

test("live() needs no Symbol.dispose, which some browsers do not have", async () => {
  using service = serviceWithSockets();
  const { dispose: _, ...known } = Object.getOwnPropertyDescriptors(Symbol);
  vi.stubGlobal(
    "Symbol",
    Object.defineProperties((name?: string) => OwnSymbol(name), known),
  );
  vi.resetModules();
  const { Periscope } = await import("./index.js");
  vi.stubGlobal("Symbol", OwnSymbol);
  const { baseUrl } = service.client();
  const events = new Periscope({ baseUrl, apiKey: "psk_test_0123456789" }).live();
  const first = events.next();
  const [socket] = await sockets(1);
  socket?.receive({ type: "event", id: "1", event: "context.deleted" });
  expect((await first).value).toMatchObject({ id: "1" });
  await events.return();
  expect(socket?.readyState).toBe(2);
});
