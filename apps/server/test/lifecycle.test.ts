import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";

/** A sync request whose body the test sends step by step. */
class SlowSync {
  answer = "";
  readonly closed: Promise<unknown>;

  private constructor(
    private readonly socket: Socket,
    private readonly body: string,
  ) {
    this.closed = once(socket, "close");
    socket.setEncoding("utf8").on("data", (part: string) => (this.answer += part));
    socket.on("error", () => {});
  }

  /** Resolves once the server waits for the body: the request is in flight. */
  static async start(client: TestClient, baseUrl: string, contextId: string): Promise<SlowSync> {
    const { hostname, port, pathname } = new URL(`${baseUrl}/context/sync`);
    const socket = connect(Number(port), hostname);
    const sync = new SlowSync(socket, JSON.stringify(createMessage({ context: { id: contextId } })));
    const headers = [`Host: ${hostname}`, `Authorization: Bearer ${client.key}`, "Content-Type: application/json", "Expect: 100-continue"];
    socket.write([`POST ${pathname} HTTP/1.1`, ...headers, `Content-Length: ${sync.body.length}`, "", ""].join("\r\n"));
    await once(socket, "data");
    return sync;
  }

  send(start: number, end?: number): void {
    this.socket.write(this.body.slice(start, end));
  }
}

/** Waits until the server answers new requests with 503. */
async function untilDraining(client: TestClient) {
  for (;;) {
    const answer = await client.get("/context/history");
    if (answer.status === 503) return answer;
    await pause(10);
  }
}

describe("SIGTERM", () => {
  it("finishes a slow upload, answers 503 to new requests, and exits with 0", async () => {
    await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "9500" });
    let server: ServerProcess = await installation.serve();
    const client = await installation.client(() => server);
    const slow = await SlowSync.start(client, server.baseUrl, "slow");
    slow.send(0, 40);
    const ended = server.end("SIGTERM");
    const refused = await untilDraining(client);
    expectError(refused, "unavailable");
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(refused.headers.get("connection")).toBe("close");
    // All at once: the server waits for running requests only until SHUTDOWN_TIMEOUT_MS.
    const [sync, current, ready, alive] = await Promise.all([
      client.sync(createMessage()),
      ...["/api/v1/context/current", "/readyz", "/healthz"].map((path) => rawRequest(server.baseUrl, { path })),
    ] as const);
    slow.send(40);
    expectError(sync, "unavailable");
    expect([current?.status, ready?.body.error, alive?.status]).toEqual([503, "unavailable", 200]);
    expect(await ended).toBe(0);
    await slow.closed;
    expect(slow.answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/m);
    expect(slow.answer).toMatch(/^Connection: close\r\n/m);
    expect(server.err).toBe("");
    server = await installation.serve();
    expect((await client.get("/context/history")).body.contexts).toMatchObject([{ contextId: "slow" }]);
  });

  it("cuts off an upload that never ends, and exits with 0", async () => {
    await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "500" });
    const server = await installation.serve();
    const client = await installation.client(() => server);
    const slow = await SlowSync.start(client, server.baseUrl, "slow");
    slow.send(0, 40);
    expect(await server.end("SIGTERM")).toBe(0);
    await slow.closed;
    expect(slow.answer).not.toContain(" 201 ");
    expect(server.err).toBe("");
  });

  it("exits at once when only idle connections are left", async () => {
    // Waiting for them would take longer than the test may.
    await using installation = await Installation.create({ SHUTDOWN_TIMEOUT_MS: "9500" });
    const server = await installation.serve();
    const { hostname, port } = new URL(server.baseUrl);
    const sockets = Array.from({ length: 3 }, () => connect(Number(port), hostname).on("error", () => {}));
    for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await Promise.all(sockets.map((socket) => once(socket, "data")));
    sockets[0]?.write("GET /healthz HT");
    expect(await server.end("SIGINT")).toBe(0);
  });
});

describe("SIGTERM under load", () => {
  it("answers or rejects each request whole, and keeps every acknowledged write", async () => {
    await using installation = await Installation.create();
    let server: ServerProcess = await installation.serve();
    const client = await installation.client(() => server);
    const statuses = new Set<number>();
    const stored: string[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let count = 0; ; count++) {
        const id = `w${writer}-${count}`;
        const answer = await client.sync(createMessage({ context: { id } })).catch(() => undefined);
        if (!answer) return;
        statuses.add(answer.status);
        if (answer.status === 201) stored.push(id);
      }
    });
    await vi.waitFor(() => expect(stored.length).toBeGreaterThan(20), 60_000);
    expect(await server.end("SIGTERM")).toBe(0);
    await Promise.all(writers);
    server = await installation.serve();
    expect([...statuses].filter((status) => status !== 201 && status !== 503 && status !== 429)).toEqual([]);
    expect(stored).not.toEqual([]);
    for (const id of stored) expect([id, (await client.get(`/context/${id}`)).status]).toEqual([id, 200]);
  });
});
