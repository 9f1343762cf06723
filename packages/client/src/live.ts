import { backoffMs } from "@periscope/delivery";
import type { LiveContext, LiveEvent, LiveFilter, ServerFrame } from "@periscope/schemas";
import { PeriscopeError } from "./errors/periscope-error.js";
import { wait } from "./http/time-limit.js";
import type { Log } from "./log.js";
import { redact } from "./redact.js";

/** Where to begin, what to follow, and how to end. */
export interface LiveOptions {
  /** Id of the last event that was handled: what came after it is yielded first. */
  after?: string | undefined;
  /** Only events of contexts of a type, a tab or an extension instance. */
  filter?: LiveFilter | undefined;
  /** Called each time that following has begun, at first and after a break. Without `after`, nothing that happened before it is yielded. */
  onSubscribed?: (() => void) | undefined;
  /** Ends the iteration, without an error. */
  signal?: AbortSignal | undefined;
}

/** Events were missed that are no longer kept: what is known has to be read again. */
export interface ResyncEvent {
  event: "resync";
  /** Where the events that follow begin. */
  id: string;
  /** What is current now; null when there is nothing. */
  current: LiveContext | null;
}

/** What following the live channel needs. */
export interface LiveSource {
  /** Address of the service, with its version prefix. */
  baseUrl: string;
  log: Log;
  /** Resolves to a ticket for one connection; rejects when the service will not give one. */
  ticket: (signal: AbortSignal | undefined) => Promise<string>;
  /** Whether an error of `ticket` may pass. */
  mayPass: (error: unknown) => boolean;
}

/** How often a ping is sent; a connection that is silent for twice as long is given up. */
const pingMs = 30_000;
/** Events that wait to be taken, past which the connection is opened again when they are. */
const waitingMax = 1_000;

/** Events as they happen, over any number of connections, until the signal or whoever iterates ends it. */
export async function* followLive(
  { after, filter, onSubscribed, signal }: LiveOptions,
  { baseUrl, log, ticket, mayPass }: LiveSource,
): AsyncGenerator<LiveEvent | ResyncEvent, void, undefined> {
  if (typeof WebSocket === "undefined")
    throw new PeriscopeError("live() needs a global WebSocket: Node 22, Deno, Bun, a browser or a worker.");
  let last = after;
  for (let failures = 1; !signal?.aborted; failures++) {
    let retryAfterMs = 0;
    let reason = "the WebSocket was closed";
    let connection: Connection | undefined;
    try {
      connection = new Connection(baseUrl, await ticket(signal), signal);
      let resyncs = false;
      for await (const frame of connection.frames({ after: last, filter })) {
        if (frame.type === "event") {
          last = frame.id;
          yield frame;
        } else if (frame.type === "subscribed") {
          failures = 0;
          onSubscribed?.();
          if (resyncs) yield { event: "resync", id: frame.id, current: frame.current };
          if (resyncs || last === undefined) last = frame.id;
          resyncs = false;
        } else if (frame.type === "error") {
          // The same frame would be refused again.
          if (frame.error !== "resync_required") throw new PeriscopeError(`live(): ${frame.message}`);
          resyncs = true;
        } else if (frame.type === "bye") retryAfterMs = (frame.retryAfterSeconds ?? 0) * 1_000;
      }
    } catch (error) {
      if (!signal?.aborted && !mayPass(error)) throw error;
      reason = String(error);
    } finally {
      connection?.close();
    }
    if (signal?.aborted) return;
    const waitMs = Math.max(retryAfterMs, backoffMs(Math.max(1, failures), Math.random));
    // Warns once an outage. That a connection which worked has ended is no failure.
    log(failures === 1 ? "warn" : "info", "tries the live channel again", { baseUrl: redact(baseUrl), reason, waitMs });
    await wait(waitMs, signal);
  }
}

/** One connection: its frames until it closes. Not for `using`: not every browser has `Symbol.dispose`. */
class Connection {
  readonly #socket: WebSocket;
  readonly #waiting: ServerFrame[] = [];
  #wake: () => void = () => {};
  #heardAt = performance.now();
  /** Node 22 tells of a handshake that was refused by `error` alone: no `close`, and a socket that connects for ever. */
  #ended = false;
  readonly #pings: ReturnType<typeof setInterval>;
  readonly #signal: AbortSignal | undefined;

  constructor(baseUrl: string, ticket: string, signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#socket = new WebSocket(`${baseUrl.replace(/^http/, "ws")}/live`, ["periscope.v1", `ticket.${ticket}`]);
    this.#socket.addEventListener("message", ({ data }) => {
      this.#heardAt = performance.now();
      this.#waiting.push(JSON.parse(String(data)) as ServerFrame);
      // What is dropped here comes again after the last event that was taken.
      if (this.#waiting.length > waitingMax) this.#end();
      else this.#wake();
    });
    for (const end of ["close", "error"])
      this.#socket.addEventListener(end, () => {
        this.#ended = true;
        this.#wake();
      });
    this.#pings = setInterval(() => {
      // A network that is gone may never tell the socket that it has closed.
      if (performance.now() - this.#heardAt > 2 * pingMs) this.#end();
      else if (this.#socket.readyState === WebSocket.OPEN) this.#send({ type: "ping" });
    }, pingMs);
    signal?.addEventListener("abort", this.#end);
  }

  async *frames(subscription: Pick<LiveOptions, "after" | "filter">): AsyncGenerator<ServerFrame, void, undefined> {
    const subscribe = { type: "subscribe", channel: "current-context", ...subscription };
    this.#socket.addEventListener("open", () => this.#send(subscribe));
    while (!this.#signal?.aborted) {
      const frame = this.#waiting.shift();
      if (frame) yield frame;
      else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  readonly #end = (): void => {
    this.#ended = true;
    this.#socket.close();
    this.#wake();
  };

  close(): void {
    clearInterval(this.#pings);
    this.#signal?.removeEventListener("abort", this.#end);
    this.#socket.close();
  }
}
