import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

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
    this.#server.on("request", (req, res) => {
      this.#inFlight++;
      res.once("close", () => {
        this.#inFlight--;
        if (this.#inFlight === 0) this.#wake?.();
      });
      handler(req, res);
    });
  }
}
