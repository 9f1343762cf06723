import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server on this machine that can be blocked: nothing passes then, and nothing is refused. */
export class StallingProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #isStalled = false;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(target: number): Promise<StallingProxy> {
    const server = createServer({ pauseOnConnect: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port was given");
    const proxy = new StallingProxy(server, address.port);
    server.on("connection", (near) => proxy.#join(near, connect(target, "127.0.0.1")));
    return proxy;
  }

  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.pause();
  }

  flow(): void {
    this.#isStalled = false;
    for (const socket of this.#sockets) socket.resume();
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("error", () => {});
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#isStalled) from.pause();
      else from.resume();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}
