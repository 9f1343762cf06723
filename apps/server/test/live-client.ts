import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import type { ServerFrame } from "@periscope/schemas";
import { WebSocket } from "ws";
import { createMessage } from "./messages.js";
import type { Answer, TestClient } from "./test-client.js";

type Frame<Type> = Extract<ServerFrame, { type: Type }>;
type Options = { protocols?: readonly string[]; headers?: Record<string, string | undefined>; answersPings?: boolean };

/** A client of the live channel that keeps every frame it gets; closed at the end of the block. */
export class LiveClient implements AsyncDisposable {
  /** Of the answer to the handshake. */
  headers = new Headers();
  readonly frames: ServerFrame[] = [];
  /** The code of the close frame, once the connection is closed. */
  readonly closed: Promise<number>;
  #arrived = Promise.withResolvers<void>();
  /** Frames that `next` has given. */
  #taken = 0;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => void socket.on("close", (code) => resolve(code)));
    socket.on("error", () => {});
    socket.on("upgrade", (answer) => (this.headers = headersOf(answer)));
    socket.on("message", (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString()) as ServerFrame);
      this.#wake();
    });
    socket.on("close", () => this.#wake());
  }

  #wake(): void {
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
  }

  /** Opens a connection, with the client's key unless other headers are given. Rejects when the handshake is refused. */
  static async open({ key, url }: { key: string; url: string }, options: Options = {}): Promise<LiveClient> {
    const client = new LiveClient(socketTo(url, key, options));
    await once(client.socket, "open");
    return client;
  }

  /** Opens a connection and subscribes. */
  static async subscribe(at: { key: string; url: string }, wanted: { after?: string; filter?: object } = {}): Promise<LiveClient> {
    const client = await LiveClient.open(at);
    client.send({ type: "subscribe", channel: "current-context", ...wanted });
    await client.next("subscribed");
    return client;
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next frame of a type, and of an event; those before it are passed over. Rejects when the connection closes first. */
  async next<Type extends ServerFrame["type"]>(type: Type, matches: (frame: Frame<Type>) => boolean = () => true): Promise<Frame<Type>> {
    for (;;) {
      for (; this.#taken < this.frames.length;) {
        const frame = this.frames[this.#taken++] as ServerFrame;
        if (frame.type === type && matches(frame as Frame<Type>)) return frame as Frame<Type>;
      }
      if (this.socket.readyState === WebSocket.CLOSED) throw new Error(`the connection closed before a frame ${type}`);
      await this.#arrived.promise;
    }
  }

  event(name: Frame<"event">["event"], contextId?: string): Promise<Frame<"event">> {
    return this.next("event", ({ event, context }) => event === name && (contextId === undefined || context?.contextId === contextId));
  }

  /** Events so far, as `name contextId`. */
  get events(): string[] {
    return this.frames.flatMap((frame) => (frame.type === "event" ? [`${frame.event} ${frame.context?.contextId}`] : []));
  }

  /** Resolves when everything that was sent before has been answered. */
  async settled(): Promise<void> {
    this.send({ type: "ping" });
    await this.next("pong");
  }

  /** Ends the connection without a word, as a client does that is killed. */
  kill(): void {
    this.socket.terminate();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.terminate();
    await this.closed;
  }
}

function socketTo(url: string, key: string, { protocols = ["periscope.v1"], headers, answersPings = true }: Options): WebSocket {
  const wanted = Object.entries({ Authorization: `Bearer ${key}`, ...headers }).filter(([, value]) => value !== undefined);
  return new WebSocket(url, [...protocols], { headers: Object.fromEntries(wanted), autoPong: answersPings });
}

const headersOf = ({ headers }: IncomingMessage) => new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** The answer to a handshake that is refused. Throws when it is accepted. */
export async function refusedHandshake(at: { key: string; url: string }, options: Options = {}): Promise<Answer> {
  const askedAt = Date.now();
  const socket = socketTo(at.url, at.key, options);
  socket.on("error", () => {});
  const answer = await Promise.race([
    once(socket, "unexpected-response").then(([, response]) => response as IncomingMessage),
    once(socket, "open").then(() => {
      socket.terminate();
      throw new Error("the handshake was accepted");
    }),
  ]);
  let text = "";
  for await (const chunk of answer.setEncoding("utf8")) text += chunk;
  return {
    status: answer.statusCode ?? 0,
    headers: headersOf(answer),
    body: JSON.parse(text),
    askedAt,
  };
}

/** Follows until a context is current, then breaks off. Resolves to the id of that event. */
export async function brokenOffAfter(at: { key: string; url: string }, client: TestClient, contextId: string): Promise<string> {
  const live = await LiveClient.subscribe(at);
  await client.sync(createMessage({ context: { id: contextId } }));
  const { id } = await live.event("current.changed", contextId);
  live.kill();
  return id;
}

/** Where a client of the service follows the live channel. */
export function liveAt(client: TestClient, baseUrl: string): { key: string; url: string } {
  return { key: client.key, url: `${baseUrl.replace(/^http/, "ws")}/live` };
}

/** A client of the live channel over server-sent events; closed at the end of the block. */
export class EventStream implements AsyncDisposable {
  private constructor(
    readonly headers: Headers,
    private readonly reader: ReadableStreamDefaultReader<string>,
    private text = "",
  ) {}

  static async open({ key }: TestClient, baseUrl: string, headers: Record<string, string> = {}, query = ""): Promise<EventStream> {
    const response = await fetch(`${baseUrl}/live${query}`, {
      headers: { Authorization: `Bearer ${key}`, Accept: "text/event-stream", ...headers },
    });
    if (!response.ok || !response.body) throw new Error(`the stream was refused: ${response.status}`);
    return new EventStream(response.headers, response.body.pipeThrough(new TextDecoderStream()).getReader());
  }

  /** The frames up to the next one of this type, or event of this name. */
  async until(name: string): Promise<Array<{ id: string | undefined; frame: ServerFrame }>> {
    const frames: Array<{ id: string | undefined; frame: ServerFrame }> = [];
    for (;;) {
      const lines = (await this.block()).split("\n");
      const field = (label: string) => lines.find((line) => line.startsWith(label))?.slice(label.length);
      const data = field("data: ");
      if (data === undefined) continue;
      const frame = JSON.parse(data) as ServerFrame;
      frames.push({ id: field("id: "), frame });
      if (frame.type === name || (frame.type === "event" && frame.event === name)) return frames;
    }
  }

  /** The next lines, up to an empty one. */
  async block(): Promise<string> {
    for (;;) {
      const end = this.text.indexOf("\n\n");
      if (end >= 0) {
        const lines = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        return lines;
      }
      const { value, done } = await this.reader.read();
      if (done) throw new Error("the stream ended");
      this.text += value;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader.cancel();
  }
}
