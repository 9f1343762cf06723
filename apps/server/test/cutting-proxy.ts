import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A way to a server on this machine that cuts connections: before the request is through, or after the server began to answer. */
export class CuttingProxy implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  /** Connections that were cut: before the server had the whole request, and when it had done what it was asked. */
  readonly cut = { asking: 0, answering: 0 };
  isCutting = true;

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param random from 0 to below 1; a quarter of what it gives cuts what is asked, a quarter what is answered */
  static async start(target: number, random: () => number): Promise<CuttingProxy> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port was given");
    const proxy = new CuttingProxy(server, address.port);
    server.on("connection", (near) => proxy.#join(near, connect(target, "127.0.0.1"), random));
    return proxy;
  }

  #join(near: Socket, far: Socket, random: () => number): void {
    const end = (kind: "asking" | "answering") => {
      this.cut[kind] += 1;
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        (socket === near ? far : near).destroy();
      });
    }
    near.on("data", (bytes) => {
      if (!this.isCutting || random() >= 0.25) far.write(bytes);
      else end("asking");
    });
    far.on("data", (bytes) => {
      if (!this.isCutting || random() >= 0.25) near.write(bytes);
      else end("answering");
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }
}
