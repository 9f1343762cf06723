import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as timeout } from "node:timers/promises";

export interface ListenOptions {
  host: string;
  port: number;
}

/** How long a draining server answers yet, once nothing of before is in flight: time for a client to hear that it ends. */
const lingerMs = 250;
/** How long a connection that was accepted last has for its request. */
const lastCallMs = 100;

/** Holds up no exit: as long as there is something to wait for, sockets keep the process going. */
const pause = (ms: number): Promise<void> => timeout(ms, undefined, { ref: false });

/** A listening socket that knows what is in flight. */
export class HttpServer {
  readonly #server: Server;
  readonly #unanswered = new Set<ServerResponse>();
  #draining = false;
  #accepted = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Rejects with Node's error when the address cannot be had. The handler is made once the address is known.
   * @param refusalHeaders further headers, for a client's address, of answers to what is not HTTP and no handler sees
   */
  static async listen(
    { host, port }: ListenOptions,
    handlerFor: (address: ListenOptions) => RequestListener,
    refusalHeaders: (address: string) => Record<string, number>,
  ): Promise<HttpServer> {
    // The handler refuses a request without Host, and one with an unknown expectation, in the shape of every other error.
    const server = createServer({ requireHostHeader: false });
    // Longer than the proxies in use keep an idle connection, so that none sends into a closing one.
    server.keepAliveTimeout = 75_000;
    const http = new HttpServer(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        http.#serve(handlerFor(http.address), refusalHeaders);
        resolve();
      });
    });
    return http;
  }

  get address(): ListenOptions {
    const { address, port } = this.#server.address() as AddressInfo;
    return { host: address, port };
  }

  /**
   * Lets what is in flight finish, and for a moment more answers what arrives (503, by the handler), so that no client
   * that sends meanwhile finds its connection reset. Then listens no more and closes every connection, at most
   * `timeoutMs` after the call.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    for (const res of this.#unanswered) announceClose(res);
    const overdue = Promise.withResolvers<void>();
    const timer = setTimeout(overdue.resolve, timeoutMs);
    await Promise.race([overdue.promise, this.#answered().then(() => pause(lingerMs))]);
    await Promise.race([overdue.promise, pause(lingerMs), this.#noneWaits()]);
    // Idle connections are closed with it; those that have yet to send their first request are not.
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.race([overdue.promise, closed, pause(lastCallMs).then(() => this.#answered())]);
    clearTimeout(timer);
    this.#server.closeAllConnections();
    await closed;
  }

  /** Resolves once all that is in flight now has been answered, or has lost its client. */
  async #answered(): Promise<void> {
    await Promise.all([...this.#unanswered].map((res) => new Promise((resolve) => res.once("close", resolve))));
  }

  /** Resolves in a turn of the event loop that accepted nothing: to listen no more resets whoever waits to be accepted. */
  async #noneWaits(): Promise<void> {
    for (let before = -1; before !== this.#accepted; await nextTurn()) before = this.#accepted;
  }

  #serve(handler: RequestListener, refusalHeaders: (address: string) => Record<string, number>): void {
    const answers = new WeakMap<Duplex, ServerResponse>();
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      // An answer that has begun must not have another one in it.
      if (socket.writable && error.code !== "ECONNRESET" && answers.get(socket)?.headersSent !== true)
        refuse(socket, refusalHeaders(socket.remoteAddress ?? ""));
      else socket.destroy();
    });
    const serve: RequestListener = (req, res) => {
      req.url = originForm(req.url ?? "/");
      this.#unanswered.add(res);
      answers.set(req.socket, res);
      res.once("close", () => {
        if (answers.get(req.socket) === res) answers.delete(req.socket);
        this.#unanswered.delete(res);
      });
      if (!this.#draining) return handler(req, res);
      announceClose(res);
      // A connection that is closed with some of a body unread is reset, and the answer lost.
      req.once("end", () => handler(req, res)).resume();
    };
    this.#server.on("connection", () => this.#accepted++);
    this.#server.on("request", serve).on("checkExpectation", serve);
  }
}

/** The target of a request without scheme and host, which a client may name (RFC 9112, 3.2.2); this server answers for any. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

/** Has the connection closed with this answer, and the client told. */
function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

/** Answers what Node's parser refused, and no handler ever sees, in the shape of every other error; then hangs up. */
function refuse(socket: Duplex, more: Record<string, number>): void {
  const requestId = randomUUID();
  const message = "This is not HTTP/1.1 as it should be, or its line and headers are over 16 KiB, or it did not arrive in time.";
  const body = JSON.stringify({ error: "bad_request", message, requestId });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(["HTTP/1.1 400 Bad Request", ...headers, "Connection: close", "", body].join("\r\n"));
}
