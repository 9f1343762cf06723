import { Agent, request } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, vi } from "vitest";
import { createMessage } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

interface Outcome {
  status: number | undefined;
  connection: string | undefined;
  retryAfter: string | undefined;
}

/** A client that keeps its one connection for as long as the server does. */
class KeepAliveClient implements Disposable {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  /** Reads the history, or syncs a body. Rejects when the connection is reset or refused. */
  ask(body?: string): Promise<Outcome> {
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

const refused: Outcome = { status: 503, connection: "close", retryAfter: expect.stringMatching(/^[1-9]\d*$/) };

describe("a server that shuts down", () => {
  const keepAlive = (server: TestServer, { key }: TestClient) => new KeepAliveClient(server.baseUrl, key);
  const large = (id: string) => JSON.stringify(createMessage({ context: { id, content: "x ".repeat(400_000) } }));

  it("answers 503 to every client that keeps sending, and resets none", async () => {
    await using server = await TestServer.start();
    const account = await server.client();
    let served = 0;
    const untilRefused = async (body?: string) => {
      using client = keepAlive(server, account);
      for (;;) {
        const outcome = await client.ask(body);
        if (outcome.status === 503) return outcome;
        served++;
      }
    };
    const clients = Array.from({ length: 32 }, (_, index) => untilRefused(index % 8 === 0 ? large(`c${index}`) : undefined));
    await vi.waitFor(() => expect(served).toBeGreaterThan(32), 60_000);
    const closed = server.close();
    expect(await Promise.all(clients)).toEqual(clients.map(() => refused));
    await closed;
  });

  it("still answers idle and new connections for a moment, then refuses them", async () => {
    await using server = await TestServer.start();
    const account = await server.client();
    using idle = keepAlive(server, account);
    using late = keepAlive(server, account);
    expect(await idle.ask()).toMatchObject({ status: 200, connection: "keep-alive" });
    const closed = server.close();
    expect(await Promise.all([idle.ask(), late.ask()])).toEqual([refused, refused]);
    await closed;
    await expect(late.ask()).rejects.toThrow("ECONNREFUSED");
  });

  it("closes once: further calls wait for the first", async () => {
    await using server = await TestServer.start();
    let isClosed = false;
    const first = server.close().then(() => (isClosed = true));
    await server.close();
    expect(isClosed).toBe(true);
    await first;
  });

  it("reads the whole body of a request that it refuses", async () => {
    await using server = await TestServer.start();
    const { key } = await server.client();
    const closed = server.close();
    const { hostname, port, pathname } = new URL(`${server.baseUrl}/context/sync`);
    const socket = connect(Number(port), hostname);
    const body = "x".repeat(1_000_000);
    const headers = ["Host: x", `Authorization: Bearer ${key}`, "Content-Type: application/json", "Expect: 100-continue"];
    socket.write([`POST ${pathname} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, "", ""].join("\r\n"));
    const [interim] = (await once(socket, "data")) as [Buffer];
    expect(interim.toString()).toMatch(/^HTTP\/1\.1 100 /);
    const answer = text(socket);
    socket.write(body.slice(0, 10));
    socket.write(body.slice(10));
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
    await closed;
  });
});
