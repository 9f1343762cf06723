import { expect, test, vi } from "vitest";
import { answers, ScriptedService } from "../test/scripted-service.js";

/** A connection on which nothing ever comes, as behind a router that has forgotten it. */
class SilentSocket extends EventTarget {
  static readonly OPEN = 1;
  static readonly opened: SilentSocket[] = [];
  readyState = 1;
  readonly sent: { type: string }[] = [];

  constructor() {
    super();
    SilentSocket.opened.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string });
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }
}

test("live() pings a silent connection, and replaces it after a minute and a half", async () => {
  using service = new ScriptedService(answers(201, { ticket: "t", expiresAt: "2026-01-31T12:00:30Z" }));
  // The service's network has put a WebSocket of its own in place.
  vi.stubGlobal("WebSocket", SilentSocket);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const patience = { timeout: 60_000 };
  try {
    const ending = new AbortController();
    const following = service.client().live({ signal: ending.signal }).next();
    await vi.waitFor(() => expect(SilentSocket.opened).toHaveLength(1), patience);
    const [first] = SilentSocket.opened;
    vi.advanceTimersByTime(60_000);
    expect(first?.readyState).toBe(1);
    expect(first?.sent.map(({ type }) => type)).toEqual(["subscribe", "ping", "ping"]);
    vi.advanceTimersByTime(30_000);
    expect(first?.readyState).toBe(3);
    await vi.waitFor(() => expect(SilentSocket.opened).toHaveLength(2), patience);
    ending.abort();
    expect(await following).toEqual({ done: true, value: undefined });
  } finally {
    vi.useRealTimers();
  }
});
