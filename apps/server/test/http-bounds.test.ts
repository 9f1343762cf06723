import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import type { Bounds } from "../src/http/bounds.js";
import type { BoundName } from "../src/metrics/metrics.js";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { RawConnection } from "./raw-connection.js";
import { rawRequest } from "./raw-request.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

// Tests run beside each other: each has a server of its own, and mostly waits.
const start = (bounds: Partial<Bounds>) => TestServer.start({}, bounds);
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

const refused = async (server: TestServer, bound: BoundName) =>
  (await readMetrics(server)).value("periscope_http_past_bound_total", { bound });
/** Waits until so many requests are in progress, that of the metrics not counted. */
const untilInFlight = (server: TestServer, count: number) =>
  eventually(async () => expect((await readMetrics(server)).value("periscope_http_requests_in_flight")).toBe(count + 1));
const statusOf = async (client: TestClient, path: string) => (await client.get(path)).status;

const bodyBytes = 1_000_000;
const body = Buffer.from(JSON.stringify(createMessage()).padEnd(bodyBytes, " "));
const paths = ["/api/v1/context/sync", "/mcp"];
const authorized = ({ key }: TestClient) => ({ Authorization: `Bearer ${key}`, "Content-Type": "application/json" });

/** Sends a body except for its last bytes. */
function holdBack(server: TestServer, client: TestClient, path = paths[0]): RawConnection {
  const headers = { ...authorized(client), "Content-Length": body.length };
  return RawConnection.open(server.baseUrl).request(`POST ${path}`, headers).write(body.subarray(0, -12));
}
const sendRest = (connection: RawConnection) => connection.write(body.subarray(-12)).answer();

function expectPast(answer: Answer, code: "rate_limited" | "unavailable"): void {
  expectError(answer, code);
  expect(answer.headers.get("retry-after")).toBe("1");
}

it.concurrent.each(paths)("refuses bodies past what one user may have in progress: %s", async (path) => {
  await using server = await start({ userBytes: 1.5 * bodyBytes });
  const [client, other] = [await server.client(), await server.client()];
  using first = holdBack(server, client, path);
  using second = holdBack(server, client, path);
  // Whichever is decoded first has the room.
  const answered = await Promise.race([first, second].map((each) => each.answer().then(() => each)));
  expectPast(await answered.answer(), "rate_limited");
  expect(await refused(server, "user_bytes")).toBe(1);
  expect((await other.sync(createMessage())).status).toBe(201);
  using others = holdBack(server, other);
  expect((await sendRest(others)).status).toBe(201);
  await sendRest(answered === first ? second : first);
  await untilInFlight(server, 0);
  using again = holdBack(server, client);
  expect((await sendRest(again)).status).toBe(201);
});

it.concurrent("refuses bodies past what all users may have in progress", async () => {
  await using server = await start({ bytes: 1.5 * bodyBytes });
  using first = holdBack(server, await server.client());
  using second = holdBack(server, await server.client());
  expectPast(await Promise.race([first.answer(), second.answer()]), "unavailable");
  expect(await refused(server, "total_bytes")).toBe(1);
});

it.concurrent("lets a body go when its client disconnects", async () => {
  await using server = await start({ userBytes: 1.5 * bodyBytes });
  const client = await server.client();
  const gone = holdBack(server, client);
  await untilInFlight(server, 1);
  gone[Symbol.dispose]();
  await untilInFlight(server, 0);
  using next = holdBack(server, client);
  expect((await sendRest(next)).status).toBe(201);
});

it.concurrent.each(paths)("refuses requests past what one user may have in progress: %s", async (path) => {
  await using server = await start({ userRequests: 1 });
  const [client, other] = [await server.client(), await server.client()];
  using held = holdBack(server, client, path);
  await eventually(async () => expectPast(await client.get("/context/history"), "rate_limited"));
  expect(await statusOf(other, "/context/history")).toBe(200);
  await sendRest(held);
  await eventually(async () => expect(await statusOf(client, "/context/history")).toBe(200));
  expect(await refused(server, "user_requests")).toBeGreaterThan(0);
});

it.concurrent("answers 408 to a request that is not sent in time, and lets its body go", async () => {
  await using server = await start({ requestMs: 3_000 });
  const client = await server.client();
  using slow = holdBack(server, client);
  using noBody = RawConnection.open(server.baseUrl).write("GET /api/v1/context/history HTTP/1.1\r\nHost:");
  for (const connection of [slow, noBody]) {
    expectError(await connection.answer(), "request_timeout");
    await connection.closed;
  }
  await eventually(async () => expect(await refused(server, "request_time")).toBe(2));
  await untilInFlight(server, 0);
  await eventually(async () => expect((await client.sync(createMessage())).status).toBe(201));
});

it.concurrent("bounds answers that nobody reads, and disconnects their clients", async () => {
  await using server = await start({ userBytes: 3_000_000, readMs: 5_000 });
  const [client, other] = [await server.client(), await server.client()];
  for (const each of [client, other]) await each.sync(createMessage({ context: { id: "large", content: "lighthouse ".repeat(90_000) } }));
  const connections = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl, { reads: false }));
  for (const connection of connections)
    for (let count = 0; count < 30; count++) connection.request("GET /api/v1/context/large", authorized(client));
  await eventually(async () => expectPast(await client.get("/context/large"), "rate_limited"));
  expect(await statusOf(other, "/context/large")).toBe(200);
  await eventually(async () => expect(await refused(server, "read_time")).toBeGreaterThan(0));
  await untilInFlight(server, 0);
  expect(await statusOf(client, "/context/large")).toBe(200);
  for (const connection of connections) connection[Symbol.dispose]();
});

it.concurrent("leaves a client alone that reads slowly", async () => {
  await using server = await start({ readMs: 4_000 });
  const client = await server.client();
  const content = "lighthouse ".repeat(90_000);
  expect((await client.batch(Array.from({ length: 14 }, () => createMessage({ context: { content } })))).body.failed).toBe(0);
  using slow = RawConnection.open(server.baseUrl, { reads: false });
  slow.request("GET /api/v1/data/export", { ...authorized(client), Connection: "close" });
  // Half of it lies between the sockets at once. What is left takes longer to send than a client may read nothing.
  let [pending, end] = [0, ""];
  for await (const part of slow.socket as AsyncIterable<Buffer>) {
    end = (end + part.toString("latin1")).slice(-300);
    pending += part.length;
    if (pending < 400_000) continue;
    await wait(300);
    pending = 0;
  }
  expect(end).toContain(`{"kind":"end"`);
  expect(await refused(server, "read_time")).toBe(0);
});

it.concurrent("leaves a client alone that pauses within its upload", async () => {
  await using server = await start({ readMs: 1_000 });
  using held = holdBack(server, await server.client());
  // Counted from when the server has its request: before, a machine that is busy may take the connection for an idle one.
  await untilInFlight(server, 1);
  await wait(2_000);
  expect((await sendRest(held)).status).toBe(201);
  expect(await refused(server, "read_time")).toBe(0);
});

it.concurrent("answers pipelined requests in order, and closes a connection with too many", async () => {
  await using server = await start({ connectionRequests: 20 });
  const client = await server.client();
  const ids = Array.from({ length: 20 }, (_, index) => `request-${index}`);
  const send = (connection: RawConnection, id: string) =>
    connection.request("GET /api/v1/context/history", { ...authorized(client), "X-Request-Id": id });
  using pipelined = RawConnection.open(server.baseUrl);
  pipelined.socket.cork();
  for (const id of ids) send(pipelined, id);
  pipelined.socket.uncork();
  await eventually(() => expect(pipelined.answers.map((answer) => answer.headers.get("x-request-id"))).toEqual(ids));
  using tooMany = RawConnection.open(server.baseUrl);
  tooMany.socket.cork();
  for (let count = 0; count < 21; count++) send(tooMany, "one");
  tooMany.socket.uncork();
  await tooMany.closed;
  expect(await refused(server, "connection_requests")).toBe(1);
  await untilInFlight(server, 0);
});

const chunked = { "Transfer-Encoding": "chunked" };

it.concurrent.each([
  ["as they are", {}, Buffer.alloc(5_000, " ")],
  // Empty blocks of gzip decode to nothing.
  [
    "in gzip of nothing",
    { "Content-Encoding": "gzip" },
    Buffer.concat([gzipSync("").subarray(0, 10), Buffer.alloc(5_000, "\0\0\0\xff\xff", "latin1")]),
  ],
])("refuses a body in chunks of one byte, %s, and closes its connection", async (_, headers, bytes) => {
  await using server = await start({});
  using connection = RawConnection.open(server.baseUrl);
  connection.request(`POST ${paths[0]}`, { ...authorized(await server.client()), ...chunked, ...headers });
  connection.write(Buffer.concat([...bytes].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10]))));
  const answer = await connection.answer();
  expectError(answer, "bad_request");
  expect(answer.body.message).toContain("Send chunks of at least 16 bytes.");
  await connection.closed;
  expect(await refused(server, "body_parts")).toBe(1);
});

it.concurrent("closes a connection that sends chunks behind another request", async () => {
  await using server = await start({});
  const headers = authorized(await server.client());
  using connection = RawConnection.open(server.baseUrl);
  connection.request("GET /api/v1/context/history", headers).request(`POST ${paths[0]}`, { ...headers, ...chunked });
  await connection.closed;
  expect(await refused(server, "connection_requests")).toBe(1);
});

it.concurrent("reads a body that is too large to its end, so that the connection goes on", async () => {
  await using server = await start({});
  using connection = RawConnection.open(server.baseUrl);
  const size = 24 * 1_048_576;
  connection.request(`POST ${paths[0]}`, { ...authorized(await server.client()), "Content-Length": size });
  connection.write(Buffer.alloc(size, " ")).request("GET /healthz");
  await eventually(() => expect(connection.answers.map(({ status }) => status)).toEqual([413, 200]));
});

it.concurrent("refuses connections past what one address may have", async () => {
  await using server = await start({ addressConnections: 5 });
  const open = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl));
  for (const connection of open) await connection.request("GET /api/v1/context/history").answer();
  using sixth = RawConnection.open(server.baseUrl).request("GET /api/v1/context/history");
  expectPast(await sixth.answer(), "unavailable");
  await sixth.closed;
  expect(sixth.answers).toHaveLength(1);
  open[0]?.request("GET /metrics");
  await eventually(() => expect(open[0]?.answers[1]?.text).toContain(`{bound="address_connections"} 1`));
  for (const connection of open) connection[Symbol.dispose]();
  await eventually(async () => expect((await rawRequest(server.baseUrl, { path: "/healthz" })).status).toBe(200));
});

it.concurrent("does not bound the connections of a trusted proxy, but those of the server", async () => {
  await using server = await TestServer.start({ trustProxy: 1 }, { addressConnections: 2, connections: 5 });
  const open = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl));
  for (const connection of open) expect((await connection.request("GET /healthz").answer()).status).toBe(200);
  using sixth = RawConnection.open(server.baseUrl);
  await sixth.closed;
  expect(sixth.answers).toEqual([]);
  for (const connection of open) connection[Symbol.dispose]();
});

it.concurrent("shuts down without waiting for pipelined requests that it has not begun", async () => {
  await using server = await TestServer.start({ shutdownTimeoutMs: 600_000 });
  using connection = holdBack(server, await server.client());
  await untilInFlight(server, 1);
  const closed = server.close();
  connection.write(body.subarray(-12)).request("GET /healthz").request("GET /healthz");
  await Promise.all([closed, connection.closed]);
  expect(connection.answers.map(({ status }) => status)).toEqual([201]);
});
