import { connect, type Socket } from "node:net";
import { vi } from "vitest";
import type { RawAnswer } from "./raw-request.js";

/** A connection whose every byte the test writes, and which reads answers only if the test wants it to. Hold it with `using`. */
export class RawConnection implements Disposable {
  readonly closed: Promise<unknown>;
  #text = "";
  readonly #askedAt = Date.now();

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.on("error", () => {}).once("close", resolve));
  }

  static open(baseUrl: string, { reads = true } = {}): RawConnection {
    const { hostname, port } = new URL(baseUrl);
    const connection = new RawConnection(connect(Number(port), hostname));
    if (reads) connection.socket.setEncoding("latin1").on("data", (part: string) => (connection.#text += part));
    else connection.socket.pause();
    return connection;
  }

  /** Sends the head of a request; what follows is its body. */
  request(line: string, headers: Record<string, string | number> = {}): this {
    const lines = Object.entries({ Host: "127.0.0.1", ...headers }).map(([name, value]) => `${name}: ${value}`);
    return this.write([`${line} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  }

  write(bytes: string | Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  /** The answers that have arrived whole, or one more than there are when the last one has not. */
  get answers(): RawAnswer[] {
    const texts = this.#text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((text) => text !== "");
    return texts.map((whole) => {
      const [head = "", text = ""] = whole.split("\r\n\r\n");
      const headers = new Headers([...head.matchAll(/^([\w-]+): ?(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]));
      const isJson = headers.get("content-type")?.startsWith("application/json") === true;
      const body = isJson && Number(headers.get("content-length")) === text.length ? JSON.parse(text) : undefined;
      return { status: Number(head.split(" ")[1]), headers, text, body, askedAt: this.#askedAt };
    });
  }

  /** Waits for the first answer. */
  async answer(): Promise<RawAnswer> {
    return await vi.waitFor(() => {
      const [first] = this.answers;
      if (first?.body === undefined) throw new Error(`no whole answer: ${this.#text.slice(0, 200)}`);
      return first;
    }, 30_000);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}
