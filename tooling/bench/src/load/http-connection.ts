import { connect, type Socket } from "node:net";

/** An answer, as far as a load needs it: its body is counted, not kept. */
export interface Answer {
  status: number;
  bodyBytes: number;
}

/**
 * A keep-alive connection that has one request under way. It reads only what a load must know, the status and where the
 * answer ends, so that the client costs a fraction of what it measures. Answers must carry a Content-Length or no body.
 */
export class HttpConnection implements Disposable {
  readonly #socket: Socket;
  #head = "";
  #status = 0;
  #bodyBytes = 0;
  #bodyLeft = 0;
  #inBody = false;
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("The server closed the connection.")));
  }

  /** Sends a whole request; the promise settles with its answer, or rejects when the connection breaks. */
  send(request: Uint8Array): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting !== undefined) throw new Error("A request is under way on this connection.");
      if (this.#socket.destroyed) throw new Error("The connection is closed.");
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  [Symbol.dispose](): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#inBody) {
      this.#take(chunk.length);
      return;
    }
    const text = this.#head + chunk.toString("latin1");
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#head = text;
      return;
    }
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1];
    this.#status = Number(text.slice(9, 12));
    if (length === undefined && this.#status !== 204) {
      this.#fail(new Error(`Answer ${this.#status} has no Content-Length.`));
      return;
    }
    this.#head = "";
    this.#bodyBytes = Number(length ?? 0);
    this.#bodyLeft = this.#bodyBytes;
    this.#inBody = true;
    this.#take(text.length - end - 4);
  }

  #take(bytes: number): void {
    this.#bodyLeft -= bytes;
    if (this.#bodyLeft > 0) return;
    this.#inBody = false;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (this.#bodyLeft < 0) waiting?.reject(new Error("The answer is longer than its Content-Length."));
    else waiting?.resolve({ status: this.#status, bodyBytes: this.#bodyBytes });
  }

  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#socket.destroy();
    waiting?.reject(error);
  }
}
