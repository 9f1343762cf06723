import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

export interface ListenOptions {
  host: string;
  port: number;
}

/** A listening socket that knows what is in flight. */
export class HttpServer {
  readonly #server: Server;
  #inFlight = 0;
  #wake: (() => void) | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Rejects with Node's error when the address cannot be had. The handler is made once the address is known. */
  static async listen({ host, port }: ListenOptions, handlerFor: (address: ListenOptions) => RequestListener): Promise<HttpServer> {
    const server = createServer();
    // Longer than the proxies in use keep an idle connection, so that none sends into a closing one.
    server.keepAliveTimeout = 75_000;
    const http = new HttpServer(server);
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
   * Waits for what is in flight, at most `timeoutMs`, then closes every connection. Until then it still listens, so that
   * new requests are answered (503, by the handler) instead of refused.
   */
  async drain(timeoutMs: number): Promise<void> {
    if (this.#inFlight > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, timeoutMs);
      this.#wake = resolve;
      await promise;
      clearTimeout(timer);
    }
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  #serve(handler: RequestListener): void {
    const answers = new WeakMap<Duplex, ServerResponse>();
    this.#server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      // An answer that has begun must not have another one in it.
      if (socket.writable && error.code !== "ECONNRESET" && answers.get(socket)?.headersSent !== true) refuse(socket);
      else socket.destroy();
    });
    this.#server.on("request", (req, res) => {
      this.#inFlight++;
      answers.set(req.socket, res);
      res.once("close", () => {
        if (answers.get(req.socket) === res) answers.delete(req.socket);
        this.#inFlight--;
        if (this.#inFlight === 0) this.#wake?.();
      });
      handler(req, res);
    });
  }
}

/** Answers what Node's parser refused, and no handler ever sees, in the shape of every other error; then hangs up. */
function refuse(socket: Duplex): void {
  const requestId = randomUUID();
  const message = "This is not HTTP/1.1 as it should be, or its line and headers are over 16 KiB, or it did not arrive in time.";
  const body = JSON.stringify({ error: "bad_request", message, requestId });
  const headers = [
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(["HTTP/1.1 400 Bad Request", ...headers, "Connection: close", "", body].join("\r\n"));
}
