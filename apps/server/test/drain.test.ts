import { Agent, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

interface Heard {
  status: number | undefined;
  connection: string | undefined;
  retryAfter: string | undefined;
}

/** A client that keeps its one connection, as long as the server does. */
class KeepAliveClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Reads the history, or syncs a body. Rejects when the connection is reset or refused. */
  ask(body?: string): Promise<Heard> {
    const [method, path] = body === undefined ? ["GET", "/context/history"] : ["POST", "/context/sync"];
    const headers = { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" };
    return new Promise((resolve, reject) => {
      const asked = request(this.baseUrl + path, { method, agent: this.#agent, headers }, (answer) => {
        const { statusCode, headers } = answer;
        answer.resume().once("end", () => {
          resolve({ status: statusCode, connection: headers.connection, retryAfter: headers["retry-after"] });
        });
      });
      asked.on("error", reject).end(body);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

const refused: Heard = { status: 503, connection: "close", retryAfter: expect.stringMatching(/^[1-9]\d*$/) };

describe("a server that closes", () => {
  const keepAlive = (server: TestServer, { key }: TestClient) => new KeepAliveClient(server.baseUrl, key);
  const large = (id: string) => JSON.stringify(createMessage({ context: { id, content: "x ".repeat(400_000) } }));

  it("tells every client that keeps sending, and resets none", async () => {
    await using server = await TestServer.start();
    const account = await server.client();
    const untilRefused = async (body?: string) => {
      using client = keepAlive(server, account);
      for (;;) {
        const heard = await client.ask(body);
        if (heard.status === 503) return heard;
      }
    };
    const clients = Array.from({ length: 32 }, (_, index) => untilRefused(index % 8 === 0 ? large(`c${index}`) : undefined));
    await pause(200);
    const closed = server.close();
    expect(await Promise.all(clients)).toEqual(clients.map(() => refused));
    await closed;
  });

  it("answers a moment longer, on connections that were idle and on new ones", async () => {
    await using server = await TestServer.start();
    const account = await server.client();
    using idle = keepAlive(server, account);
    using late = keepAlive(server, account);
    expect(await idle.ask()).toMatchObject({ status: 200, connection: "keep-alive" });
    const closed = server.close();
    await pause(50);
    expect(await Promise.all([idle.ask(), late.ask()])).toEqual([refused, refused]);
    await closed;
    await expect(late.ask()).rejects.toThrow("ECONNREFUSED");
  });

  it("has closed when it is asked again, and not before", async () => {
    await using server = await TestServer.start();
    let isClosed = false;
    const first = server.close().then(() => (isClosed = true));
    await server.close();
    expect(isClosed).toBe(true);
    await first;
  });

  it("takes in the body of a request that it refuses, so that no client is reset while it sends", async () => {
    await using server = await TestServer.start();
    const { key } = await server.client();
    const closed = server.close();
    const { hostname, port, pathname } = new URL(`${server.baseUrl}/context/sync`);
    const socket = connect(Number(port), hostname);
    const answer = text(socket);
    const [body, start] = ["x".repeat(1_000_000), 10];
    const headers = ["Host: x", `Authorization: Bearer ${key}`, "Content-Type: application/json", `Content-Length: ${body.length}`];
    socket.write([`POST ${pathname} HTTP/1.1`, ...headers, "", body.slice(0, start)].join("\r\n"));
    await pause(100);
    expect(socket.closed).toBe(false);
    socket.write(body.slice(start));
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    await closed;
  });
});
