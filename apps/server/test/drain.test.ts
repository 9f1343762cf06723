import { once } from "node:events";
import { connect } from "node:net";
import { expect, vi } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { RawConnection } from "./raw-connection.js";
import { rawRequest } from "./raw-request.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer, withOwnServer as it } from "./test-server.js";

const message = () => JSON.stringify(createMessage());

/** Starts a sync request whose body the test sends step by step. The server has asked for the body: the request is in flight. */
async function startSync({ key }: TestClient, { baseUrl }: TestServer, length = message().length): Promise<RawConnection> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Content-Length": length, Expect: "100-continue" };
  const connection = RawConnection.open(baseUrl).request("POST /api/v1/context/sync", headers);
  await vi.waitFor(() => expect(statuses(connection)).toEqual([100]), 60_000);
  return connection;
}

const statuses = ({ answers }: RawConnection): number[] => answers.map(({ status }) => status);

/** Checks a refusal of a server that is shutting down. */
function expectRefused(answer: Answer): void {
  expectError(answer, "unavailable");
  expect(answer.headers.get("connection")).toBe("close");
  expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
}

it("finishes a slow upload while it answers 503 to new requests", async ({ server, client }) => {
  const slow = await startSync(client, server);
  const body = message();
  slow.write(body.slice(0, 40));
  const closed = server.close();
  expectRefused(await client.get("/context/history"));
  expectRefused(await client.sync(createMessage()));
  const [ready, alive] = await Promise.all(["/readyz", "/healthz"].map((path) => rawRequest(server.baseUrl, { path })));
  expect([ready?.status, alive?.status]).toEqual([503, 200]);
  slow.write(body.slice(40));
  await Promise.all([closed, slow.closed]);
  expect(statuses(slow)).toEqual([100, 201]);
  expect(slow.answers[1]?.headers.get("connection")).toBe("close");
  expect(await server.rows("SELECT * FROM contexts")).toHaveLength(1);
});

it("cuts off an upload that never ends", async () => {
  await using server = await TestServer.start({ shutdownTimeoutMs: 300 });
  const slow = await startSync(await server.client(), server);
  slow.write(message().slice(0, 40));
  await Promise.all([server.close(), slow.closed]);
  expect(statuses(slow)).toEqual([100]);
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
    using slow = await startSync(client, server);
    slow.write(message().slice(0, sent));
  }
  await expect(server.close()).resolves.toBeUndefined();
});

it("answers 503 to every client that keeps sending, and resets none", async ({ server, client }) => {
  let served = 0;
  const untilRefused = async (ask: () => Promise<Answer>) => {
    for (;;) {
      const answer = await ask();
      if (answer.status === 503) return answer;
      served++;
    }
  };
  const large = (id: string) => createMessage({ context: { id, content: "x ".repeat(400_000) } });
  const clients = Array.from({ length: 32 }, (_, index) =>
    untilRefused(() => (index % 8 === 0 ? client.sync(large(`c${index}`)) : client.get("/context/history"))),
  );
  await vi.waitFor(() => expect(served).toBeGreaterThan(32), 60_000);
  const closed = server.close();
  for (const answer of await Promise.all(clients)) expectRefused(answer);
  await closed;
});

it("answers idle and new connections for a moment, then refuses them", async ({ server, client }) => {
  const history = () => client.get("/context/history");
  expect((await history()).headers.get("connection")).toBe("keep-alive");
  // Keeps the server answering for as long as this takes.
  const slow = await startSync(client, server);
  const closed = server.close();
  for (const answer of await Promise.all([history(), history()])) expectRefused(answer);
  slow.write(message());
  await server.close();
  await expect(history()).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await closed;
});

it("reads the whole body of a request that it refuses", async ({ server, client }) => {
  const running = await startSync(client, server);
  const closed = server.close();
  const late = await startSync(client, server, 1_000_000);
  late.write("x".repeat(10)).write("x".repeat(999_990));
  await late.closed;
  expect(statuses(late)).toEqual([100, 503]);
  running.write(message());
  await closed;
});
