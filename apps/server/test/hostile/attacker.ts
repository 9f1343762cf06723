import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { connect, type Socket } from "node:net";

/** Answers by status, with the sentence of the first refusal of each. */
export type Answers = Record<string, { count: number; message?: string; isClear: boolean }>;

interface Sent {
  method?: string;
  path: string;
  body?: Uint8Array | string;
  headers?: Record<string, string>;
}

/** An address of its own, so that what it opens does not count for others. */
const localAddress = "127.0.0.66";

/** A client that keeps to nothing but its key and counts how it is answered. */
export class Attacker {
  readonly answers: Answers = {};
  readonly #sockets = new Set<Socket>();
  #isOver = false;

  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** Ends what is open; what still runs fails quietly. */
  stop(): void {
    this.#isOver = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async send({ method = "POST", path, body, headers }: Sent): Promise<number> {
    const url = /^.(?:mcp|readyz)$/.test(path) ? new URL(path, this.#baseUrl) : this.#baseUrl + path;
    return await new Promise((resolve) => {
      const sent = request(url, { method, localAddress, headers: { ...this.#headers(body), ...headers } }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", () => resolve(0));
        answer.on("end", () => {
          const text = Buffer.concat(parts.slice(0, 4)).toString();
          this.#count(answer.statusCode ?? 0, text, answer.headers["retry-after"]);
          resolve(answer.statusCode ?? 0);
        });
      });
      sent.on("error", () => resolve(0));
      sent.end(body);
    });
  }

  /** As many at once as are given, again and again. */
  async flood(atOnce: number, what: (index: number) => Sent): Promise<void> {
    let index = 0;
    const one = async () => {
      while (!this.#isOver) if ((await this.send(what(index++))) === 0) await pause(20);
    };
    await Promise.all(Array.from({ length: atOnce }, one));
  }

  /** Opens connections, writes to each, and neither reads nor closes. One that the server closes is opened again. */
  async hold(connections: number, bytes: () => Uint8Array): Promise<void> {
    const { hostname, port } = new URL(this.#baseUrl);
    const open = () => {
      if (this.#isOver) return;
      const socket = connect({ port: Number(port), host: hostname, localAddress });
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        this.#sockets.delete(socket);
        setTimeout(open, 100).unref();
      });
      socket.pause();
      socket.write(bytes());
    };
    for (let count = 0; count < connections; count++) {
      open();
      if (count % 20 === 19) await pause(10);
    }
    while (!this.#isOver) await pause(50);
  }

  /** The bytes of a request's head. */
  raw(method: string, path: string, headers: Record<string, string> = {}): Uint8Array {
    const lines = Object.entries({ ...this.#headers(undefined), Host: "127.0.0.1", ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    return Buffer.from(`${method} ${new URL(this.#baseUrl).pathname}${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  }

  #headers(body: Uint8Array | string | undefined): Record<string, string> {
    const isGzip = body instanceof Uint8Array && body[0] === 0x1f;
    return {
      Authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(isGzip && { "Content-Encoding": "gzip" }),
    };
  }

  #count(status: number, text: string, retryAfter: string | undefined): void {
    const entry = (this.answers[status] ??= { count: 0, isClear: true });
    entry.count++;
    if (status < 400) return;
    const { error, message } = parse(text);
    if (message !== undefined) entry.message ??= message;
    entry.isClear &&=
      typeof error === "string" && typeof message === "string" && (status !== 429 && status !== 503 ? true : retryAfter !== undefined);
  }
}

function parse(text: string): { error?: string; message?: string } {
  try {
    return JSON.parse(text) as { error?: string; message?: string };
  } catch {
    return {};
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A message about a context. */
export function message(operation: "create" | "update" | "delete", context: Record<string, unknown>): Record<string, unknown> {
  const at = new Date().toISOString();
  const whole = {
    type: "page",
    tabId: "1",
    capturedAt: at,
    tabMetadata: { id: "1", url: `https://pages.example/${String(context["id"])}`, title: "A page" },
    ...context,
  };
  return {
    id: randomUUID(),
    type: operation,
    timestamp: at,
    payload: { type: "context", operation, context: operation === "create" ? whole : context },
  };
}

export const batch = (messages: unknown[]): string => JSON.stringify({ id: randomUUID(), type: "batch", messages });
