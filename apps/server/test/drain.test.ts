import { Agent, request } from "node:http";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import type { TestClient } from "./test-client.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

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

/** A sync request whose body the test sends step by step. */
class SlowSync {
  answer = "";
  readonly closed: Promise<unknown>;

  private constructor(
    readonly socket: Socket,
    private readonly body: string,
  ) {
    this.closed = once(socket, "close");
    socket.setEncoding("utf8").on("data", (part: string) => (this.answer += part));
    socket.on("error", () => {});
  }

  /** Resolves once the server asks for the body: the request is in flight. */
  static async start(client: TestClient, { baseUrl }: TestServer, body = JSON.stringify(createMessage())): Promise<SlowSync> {
    const { hostname, port, pathname } = new URL(`${baseUrl}/context/sync`);
    const sync = new SlowSync(connect(Number(port), hostname), body);
    const headers = [`Host: ${hostname}`, `Authorization: Bearer ${client.key}`, "Content-Type: application/json", "Expect: 100-continue"];
    sync.socket.write([`POST ${pathname} HTTP/1.1`, ...headers, `Content-Length: ${body.length}`, "", ""].join("\r\n"));
    await once(sync.socket, "data");
    return sync;
  }

  send(start: number, end?: number): void {
    this.socket.write(this.body.slice(start, end));
  }
}

const refused: Outcome = { status: 503, connection: "close", retryAfter: expect.stringMatching(/^[1-9]\d*$/) };
const keepAlive = (server: TestServer, { key }: TestClient) => new KeepAliveClient(server.baseUrl, key);
const large = (id: string) => JSON.stringify(createMessage({ context: { id, content: "x ".repeat(400_000) } }));

it("finishes a slow upload while it answers 503 to new requests", async ({ server, client }) => {
  const slow = await SlowSync.start(client, server);
  slow.send(0, 40);
  const closed = server.close();
  const answers = [await client.get("/context/history"), await client.sync(createMessage())];
  for (const answer of answers) {
    expectError(answer, "unavailable");
    expect([answer.headers.get("connection"), Number(answer.headers.get("retry-after")) > 0]).toEqual(["close", true]);
  }
  const [ready, alive] = await Promise.all(["/readyz", "/healthz"].map((path) => rawRequest(server.baseUrl, { path })));
  expect([ready?.status, alive?.status]).toEqual([503, 200]);
  slow.send(40);
  await Promise.all([closed, slow.closed]);
  expect(slow.answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/m);
  expect(slow.answer).toMatch(/^Connection: close\r\n/m);
  expect(await server.rows("SELECT * FROM contexts")).toHaveLength(1);
});

it("cuts off an upload that never ends", async () => {
  await using server = await TestServer.start({ shutdownTimeoutMs: 300 });
  const slow = await SlowSync.start(await server.client(), server);
  slow.send(0, 40);
  await Promise.all([server.close(), slow.closed]);
  expect(slow.answer).not.toContain(" 201 ");
});

it("waits neither for idle connections nor for uploads that broke off", async () => {
  // Longer than the test may take.
  await using server = await TestServer.start({ shutdownTimeoutMs: 600_000 });
  const client = await server.client();
  const { hostname, port } = new URL(server.baseUrl);
  const sockets = Array.from({ length: 3 }, () => connect(Number(port), hostname).on("error", () => {}));
  for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  await Promise.all(sockets.map((socket) => once(socket, "data")));
  sockets[0]?.write("GET /healthz HT");
  for (const sent of [0, 1, 50]) {
    const slow = await SlowSync.start(client, server);
    slow.send(0, sent);
    slow.socket.destroy();
  }
  await expect(server.close()).resolves.toBeUndefined();
});

it("answers 503 to every client that keeps sending, and resets none", async ({ server }) => {
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

it("answers idle and new connections for a moment, then refuses them; a second close waits for the first", async ({ server }) => {
  const account = await server.client();
  using idle = keepAlive(server, account);
  using late = keepAlive(server, account);
  expect(await idle.ask()).toMatchObject({ status: 200, connection: "keep-alive" });
  // Keeps the server answering for as long as this takes.
  const slow = await SlowSync.start(account, server);
  const closed = server.close();
  expect(await Promise.all([idle.ask(), late.ask()])).toEqual([refused, refused]);
  slow.send(0);
  await server.close();
  await expect(late.ask()).rejects.toThrow("ECONNREFUSED");
  await closed;
});

it("reads the whole body of a request that it refuses", async ({ server, client }) => {
  const running = await SlowSync.start(client, server);
  const closed = server.close();
  const late = await SlowSync.start(client, server, "x".repeat(1_000_000));
  late.send(0, 10);
  late.send(10);
  await late.closed;
  expect(late.answer).toMatch(/^HTTP\/1\.1 503 /m);
  running.send(0);
  await closed;
});
