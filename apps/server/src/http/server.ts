import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as soon, setTimeout as timeout } from "node:timers/promises";
import { type ErrorCode, statusOfError } from "@periscope/schemas";
import type { BoundName } from "../metrics/metrics.js";
import type { Bounds } from "./bounds.js";
import { networkOf } from "./admission.js";

export interface ListenOptions {
  host: string;
  port: number;
}

interface ServerOptions extends ListenOptions {
  /** Number of proxies in front, whose addresses stand for many clients. */
  trustProxy: number;
  bounds: Bounds;
  onPastBound: (bound: BoundName) => void;
}

/** How long a draining server still answers once nothing is in flight, so that clients learn that it stops. */
const lingerMs = 250;
/** How long the connection that was accepted last has to send its request. */
const lastCallMs = 100;

/** Does not keep the process alive: open sockets do, as long as there is something to wait for. */
const wait = (ms: number): Promise<void> => timeout(ms, undefined, { ref: false });

/** How long a connection that is refused may take to read why. */
const refusedMs = 1_000;

/** A request that asks to become a WebSocket, with what the client has sent behind its head. */
export interface UpgradeRequest extends IncomingMessage {
  upgradeHead?: Buffer;
}

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/** A listening HTTP server that bounds what connections may occupy, and can finish what is in flight before it closes. */
export class HttpServer {
  readonly #server: Server;
  /** Responses in flight, each with a promise that resolves when it is sent or its client is gone. */
  readonly #unanswered = new Map<ServerResponse, Promise<void>>();
  /** By connection: the request that is being served, and those after it. */
  readonly #exchanges = new WeakMap<Socket, Exchange[]>();
  readonly #refused = new WeakSet<Socket>();
  readonly #byAddress = new Map<string, number>();
  #draining = false;
  #accepted = 0;

  private constructor(
    server: Server,
    private readonly options: ServerOptions,
    private readonly refusalHeaders: (address: string) => Promise<Record<string, number>>,
  ) {
    this.#server = server;
  }

  /**
   * Rejects with Node's error when it cannot listen on the address. The handler is created once the address is known.
   * @param refusalHeaders further headers for the answer to a request that is not valid HTTP, by the client's address
   */
  static async listen(
    options: ServerOptions,
    handlerFor: (address: ListenOptions) => RequestListener,
    refusalHeaders: (address: string) => Promise<Record<string, number>>,
  ): Promise<HttpServer> {
    const { host, port, bounds } = options;
    const { requestMs, readMs } = bounds;
    const server = createServer({
      // The app itself refuses a request without Host or with an unknown expectation, in the shape of every other error.
      requireHostHeader: false,
      // Longer than common proxies keep an idle connection, so that none sends into a closing one.
      keepAliveTimeout: 75_000,
      headersTimeout: Math.min(20_000, requestMs),
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(5_000, requestMs),
      // Bytes of a body that are read before somebody wants them. Each may be a chunk of its own.
      highWaterMark: 4_096,
      // Any other upgrade, such as Java's to HTTP/2, is answered as the request that it comes with.
      shouldUpgradeCallback: isWebSocket,
    });
    server.timeout = readMs;
    server.maxConnections = bounds.connections;
    const http = new HttpServer(server, options, refusalHeaders);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        http.#serve(handlerFor(http.address));
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
    for (const res of this.#unanswered.keys()) announceClose(res);
    const overdue = Promise.withResolvers<void>();
    const timer = setTimeout(overdue.resolve, timeoutMs);
    await Promise.race([overdue.promise, this.#answered().then(() => wait(lingerMs))]);
    await Promise.race([overdue.promise, wait(lingerMs), this.#noneWaits()]);
    // Closes idle connections, but not those that have yet to send their first request.
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.race([overdue.promise, closed, wait(lastCallMs).then(() => this.#answered())]);
    clearTimeout(timer);
    this.#server.closeAllConnections();
    await closed;
  }

  async #answered(): Promise<void> {
    await Promise.all(this.#unanswered.values());
  }

  /** Resolves in a turn of the event loop that accepted no connection: closing the server resets those that wait to be accepted. */
  async #noneWaits(): Promise<void> {
    for (let before = -1; before !== this.#accepted; await soon()) before = this.#accepted;
  }

  #serve(handler: RequestListener): void {
    const { bounds, onPastBound } = this.options;
    const serve = ({ req, res }: Exchange) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#unanswered.set(res, promise);
      res.once("close", () => {
        this.#unanswered.delete(res);
        resolve();
        const waiting = this.#exchanges.get(req.socket);
        waiting?.shift();
        if (this.#refused.has(req.socket)) return;
        if (waiting?.[0] && req.socket.writable) serve(waiting[0]);
        else req.socket.resume();
      });
      if (!this.#draining) return handler(req, res);
      announceClose(res);
      // The body is read to its end: closing a connection with unread data resets it, and the answer is lost.
      req.once("end", () => handler(req, res)).resume();
    };
    const accept: RequestListener = (req, res) => {
      const { socket } = req;
      if (socket.destroyed || this.#refused.has(socket)) return;
      req.url = originForm(req.url ?? "/");
      const exchanges = this.#exchanges.get(socket) ?? [];
      this.#exchanges.set(socket, exchanges);
      // One at a time, so that a client that does not read costs one answer.
      if (exchanges.push({ req, res }) === 1) return serve({ req, res });
      socket.pause();
      // Chunks that wait may be of a byte, which takes two hundred. Clients do not send chunks behind another request.
      if (exchanges.length <= bounds.connectionRequests && req.headers["transfer-encoding"] === undefined) return;
      onPastBound("connection_requests");
      this.#refused.add(socket);
      // Not at once: Node has read 64 KiB of chunks by then, and a new connection would begin again.
      setTimeout(() => socket.destroy(), refusedMs).unref();
    };
    this.#server.on("upgrade", (req: UpgradeRequest, socket: Socket, head) => {
      // Node 22 before 22.21 asks nobody whether to upgrade.
      if (!isWebSocket(req)) return void this.#refuse(socket, "bad_request", "Upgrade: only websocket is supported. Leave the header out.");
      req.upgradeHead = head;
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      socket.on("error", () => socket.destroy());
      // Until the connection is a WebSocket, the app answers as it does to every other request.
      res.assignSocket(socket);
      res.once("finish", () => socket.destroySoon());
      accept(req, res);
    });
    this.#server.on("request", accept).on("checkExpectation", accept);
    this.#server.on("connection", (socket) => this.#admit(socket));
    this.#server.on("drop", () => onPastBound("connections"));
    this.#server.on("timeout", (socket) => {
      // Whoever still sends a request, or waits for its answer, has other limits.
      if (this.#exchanges.get(socket)?.[0] && socket.writableLength === 0) return;
      if (socket.writableLength > 0) onPastBound("read_time");
      socket.destroy();
    });
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
      // Only the parser's own codes are the client's fault, and an answer that has begun must not get another one inside it.
      const isClientFault = /^(?:HPE_|ERR_HTTP_)/.test(error.code ?? "");
      const res = this.#exchanges.get(socket)?.[0]?.res;
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && res && isUpload(res)) return;
      if (!isClientFault || !socket.writable || this.#refused.has(socket) || res?.headersSent === true) return void socket.destroy();
      // The body broke off while the request is being served: its own answer must not follow the refusal.
      this.#exchanges.delete(socket);
      res?.detachSocket(socket);
      if (res) Object.assign(res, { destroyed: true }).emit("close");
      if (error.code !== "ERR_HTTP_REQUEST_TIMEOUT") return void this.#refuse(socket, "bad_request", notHttp);
      onPastBound("request_time");
      const what = `The request was not sent in time: its head within 20 seconds, all of it within ${bounds.requestMs / 1000}. Send it again.`;
      void this.#refuse(socket, "request_timeout", what);
    });
  }

  /** Counts a connection of an address until it closes. Refuses it past the bound. */
  #admit(socket: Socket): void {
    this.#accepted++;
    const { bounds, trustProxy, onPastBound } = this.options;
    const address = networkOf(socket.remoteAddress ?? "");
    const open = (this.#byAddress.get(address) ?? 0) + 1;
    this.#byAddress.set(address, open);
    socket.once("close", () => {
      const left = (this.#byAddress.get(address) ?? 0) - 1;
      if (left > 0) this.#byAddress.set(address, left);
      else this.#byAddress.delete(address);
    });
    if (trustProxy > 0 || open <= bounds.addressConnections) return;
    onPastBound("address_connections");
    const what = `This address has more than ${bounds.addressConnections} connections. Close some, then retry.`;
    void this.#refuse(socket, "unavailable", what, { "Retry-After": 1 });
  }

  /** Answers a connection in the shape of every other error, without a request that the app could serve, and closes it. */
  async #refuse(socket: Socket, code: ErrorCode, message: string, headers: Record<string, number> = {}): Promise<void> {
    this.#refused.add(socket);
    const further = await this.refusalHeaders(socket.remoteAddress ?? "").catch(() => ({}));
    if (!socket.writable) return;
    const requestId = randomUUID();
    const body = JSON.stringify({ error: code, message, requestId });
    const status = statusOfError[code];
    const lines = Object.entries({
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
      "X-Request-Id": requestId,
      ...headers,
      ...further,
      Connection: "close",
    }).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n"));
    setTimeout(() => socket.destroy(), refusedMs).unref();
  }
}

/** An upload may take longer than other requests, and has a limit of its own for silence. */
const isUpload = (res: ServerResponse): boolean => (res as { locals?: { isUpload?: true } }).locals?.isUpload === true;

const isWebSocket = ({ method, headers }: IncomingMessage): boolean => method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

const notHttp = "This is not valid HTTP/1.1, or its headers are larger than 16 KiB.";

/** The request target without scheme and host, which a client may send (RFC 9112, 3.2.2). The server answers for any host. */
function originForm(target: string): string {
  if (target.startsWith("/")) return target;
  const rest = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, "");
  return rest === "" || rest.startsWith("?") ? `/${rest}` : rest;
}

function announceClose(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader("Connection", "close");
}
