import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as timeout } from "node:timers/promises";

export interface ListenOptions {
  host: string;
  port: number;
}

/** How long a draining server still answers once nothing is in flight, so that clients learn that it stops. */
const lingerMs = 250;
/** How long the connection that was accepted last has to send its request. */
const lastCallMs = 100;

/** Does not keep the process alive: open sockets do, as long as there is something to wait for. */
const pause = (ms: number): Promise<void> => timeout(ms, undefined, { ref: false });

/** A listening HTTP server that can finish what is in flight before it closes. */
export class HttpServer {
  readonly #server: Server;
  readonly #unanswered = new Set<ServerResponse>();
  #draining = false;
  #accepted = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Rejects with Node's error when it cannot listen on the address. The handler is created once the address is known.
   * @param refusalHeaders further headers for the answer to a request that is not valid HTTP, by the client's address
   */
  static async listen(
    { host, port }: ListenOptions,
    handlerFor: (address: ListenOptions) => RequestListener,
    refusalHeaders: (address: string) => Promise<Record<string, number>>,
  ): Promise<HttpServer> {
    // The app itself refuses a request without Host or with an unknown expectation, in the shape of every other error.
    const server = createServer({ requireHostHeader: false });
    // Longer than common proxies keep an idle connection, so that none sends into a closing one.
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
   * Finishes what is in flight. For a moment longer, new requests are still answered (503, by the handler) instead of being reset.
   * Then stops listening and closes every connection, at most `timeoutMs` after the call.
   */
  async drain(timeoutMs: number): Promise<void> {
    this.#draining = true;
    for (const res of this.#unanswered) announceClose(res);
    const overdue = Promise.withResolvers<void>();
    const timer = setTimeout(overdue.resolve, timeoutMs);
    await Promise.race([overdue.promise, this.#answered().then(() => pause(lingerMs))]);
    await Promise.race([overdue.promise, pause(lingerMs), this.#noneWaits()]);
    // Closes idle connections, but not those that have yet to send their first request.
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.race([overdue.promise, closed, pause(lastCallMs).then(() => this.#answered())]);
    clearTimeout(timer);
    this.#server.closeAllConnections();
    await closed;
  }

  /** Resolves once every request in flight has been answered or its client is gone. */
  async #answered(): Promise<void> {
    await Promise.all([...this.#unanswered].map((res) => new Promise((resolve) => res.once("close", resolve))));
  }

  /** Resolves in a turn of the event loop that accepted no connection: closing the server resets those that wait to be accepted. */
  async #noneWaits(): Promise<void> {
    for (let before = -1; before !== this.#accepted; await nextTurn()) before = this.#accepted;
  }

  #serve(handler: RequestListener, refusalHeaders: (address: string) => Promise<Record<string, number>>): void {
    const answers = new WeakMap<Duplex, ServerResponse>();
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      // Only the parser's own codes are the client's fault, and an answer that has begun must not get another one inside it.
      const isBadRequest = /^(?:HPE_|ERR_HTTP_)/.test(error.code ?? "");
      const answer = answers.get(socket);
      if (!isBadRequest || !socket.writable || answer?.headersSent === true) return void socket.destroy();
      // The body broke off while the request is being served: its own answer must not follow the refusal.
      answer?.detachSocket(socket);
      answer?.emit("close");
      void refuse(socket, refusalHeaders(socket.remoteAddress ?? ""));
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
      // The body is read to its end: closing a connection with unread data resets it, and the answer is lost.
      req.once("end", () => handler(req, res)).resume();
    };
    this.#server.on("connection", () => this.#accepted++);
    this.#server.on("request", serve).on("checkExpectation", serve);
  }
}

/** The request target without scheme and host, which a client may send (RFC 9112, 3.2.2). The server answers for any host. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

/** Tells the client that the connection closes after this answer. */
function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}

/** Answers a request that Node's parser refused, in the shape of every other error, and closes the connection. */
async function refuse(socket: Duplex, furtherHeaders: Promise<Record<string, number>>): Promise<void> {
  const further = await furtherHeaders.catch(() => ({}));
  if (!socket.writable) return;
  const requestId = randomUUID();
  const message = "This is not valid HTTP/1.1, or its headers are larger than 16 KiB, or it did not arrive in time.";
  const body = JSON.stringify({ error: "bad_request", message, requestId });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(further).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(["HTTP/1.1 400 Bad Request", ...headers, "Connection: close", "", body].join("\r\n"));
}
