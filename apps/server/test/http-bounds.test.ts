import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import type { Bounds } from "../src/http/bounds.js";
import type { BoundName } from "../src/metrics/metrics.js";
import { expectError } from "./answer-checks.js";
import { createMessage } from "./messages.js";
import { readMetrics } from "./prometheus-text.js";
import { RawConnection } from "./raw-connection.js";
import { rawRequest } from "./raw-request.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

// Tests run beside each other: each has a server of its own, and mostly waits.
const waiting = { timeout: 30_000, interval: 20 };
const start = (bounds: Partial<Bounds>) => TestServer.start({}, bounds);

const refused = async (server: TestServer, bound: BoundName) =>
  (await readMetrics(server)).value("periscope_http_past_bound_total", { bound });
/** How many requests are in progress, this one not counted. */
const inFlight = async (server: TestServer) => (await readMetrics(server)).value("periscope_http_requests_in_flight") - 1;

const bodyBytes = 1_000_000;
const body = Buffer.from(JSON.stringify(createMessage()).padEnd(bodyBytes, " "));
const paths = ["/api/v1/context/sync", "/mcp"];

/** Sends a body except for its last bytes. */
function holdBack(server: TestServer, { key }: TestClient, path = paths[0]): RawConnection {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const connection = RawConnection.open(server.baseUrl).request(`POST ${path}`, { ...headers, "Content-Length": body.length });
  return connection.write(body.subarray(0, -12));
}
const sendRest = (connection: RawConnection) => connection.write(body.subarray(-12)).answer();

function expectPast(answer: Awaited<ReturnType<RawConnection["answer"]>>, code: "rate_limited" | "unavailable"): void {
  expectError(answer, code);
  expect(answer.headers.get("retry-after")).toBe("1");
}

it.concurrent.each(paths)("refuses bodies past what one user may have in progress: %s", async (path) => {
  await using server = await start({ userBytes: 1.5 * bodyBytes });
  const [client, other] = [await server.client(), await server.client()];
  using first = holdBack(server, client, path);
  using second = holdBack(server, client, path);
  // Whichever is decoded first has the room.
  const answered = await Promise.race([first.answer().then(() => first), second.answer().then(() => second)]);
  expectPast(await answered.answer(), "rate_limited");
  expect(await refused(server, "user_bytes")).toBe(1);
  expect((await other.sync(createMessage())).status).toBe(201);
  using others = holdBack(server, other);
  expect((await sendRest(others)).status).toBe(201);

  const kept = answered === first ? second : first;
  await sendRest(kept);
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(0), waiting);
  using again = holdBack(server, client);
  expect((await sendRest(again)).status).toBe(201);
});

it.concurrent("refuses bodies past what all users may have in progress", async () => {
  await using server = await start({ bytes: 1.5 * bodyBytes });
  using first = holdBack(server, await server.client());
  using second = holdBack(server, await server.client());
  const answer = await Promise.race([first.answer(), second.answer()]);
  expectPast(answer, "unavailable");
  expect(await refused(server, "total_bytes")).toBe(1);
});

it.concurrent("lets a body go when its client disconnects", async () => {
  await using server = await start({ userBytes: 1.5 * bodyBytes });
  const client = await server.client();
  const gone = holdBack(server, client);
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(1), waiting);
  gone[Symbol.dispose]();
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(0), waiting);
  using next = holdBack(server, client);
  expect((await sendRest(next)).status).toBe(201);
});

it.concurrent.each(paths)("refuses requests past what one user may have in progress: %s", async (path) => {
  await using server = await start({ userRequests: 1 });
  const [client, other] = [await server.client(), await server.client()];
  using held = holdBack(server, client, path);
  await vi.waitFor(async () => expectPast({ ...(await client.get("/context/history")), text: "" }, "rate_limited"), waiting);
  expect((await other.get("/context/history")).status).toBe(200);
  await sendRest(held);
  await vi.waitFor(async () => expect((await client.get("/context/history")).status).toBe(200), waiting);
  expect(await refused(server, "user_requests")).toBeGreaterThan(0);
});

it.concurrent("answers 408 to a request that is not sent in time, and lets its body go", async () => {
  await using server = await start({ requestMs: 500 });
  const client = await server.client();
  using slow = holdBack(server, client);
  using noBody = RawConnection.open(server.baseUrl).write("GET /api/v1/context/history HTTP/1.1\r\nHost:");
  for (const connection of [slow, noBody]) {
    expectError(await connection.answer(), "request_timeout");
    await connection.closed;
  }
  expect(await refused(server, "request_time")).toBe(2);
  expect(await inFlight(server)).toBe(0);
  expect((await client.sync(createMessage())).status).toBe(201);
});

it.concurrent("bounds answers that nobody reads, and disconnects their clients", async () => {
  await using server = await start({ userBytes: 3_000_000, readMs: 1_000 });
  const [client, other] = [await server.client(), await server.client()];
  for (const each of [client, other]) await each.sync(createMessage({ context: { id: "large", content: "lighthouse ".repeat(90_000) } }));
  const headers = { Authorization: `Bearer ${client.key}` };
  const connections = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl, { reads: false }));
  for (const connection of connections) for (let count = 0; count < 30; count++) connection.request("GET /api/v1/context/large", headers);
  await vi.waitFor(async () => expectPast({ ...(await client.get("/context/large")), text: "" }, "rate_limited"), waiting);
  expect((await other.get("/context/large")).status).toBe(200);
  await vi.waitFor(async () => expect(await refused(server, "read_time")).toBeGreaterThan(0), waiting);
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(0), waiting);
  expect((await client.get("/context/large")).status).toBe(200);
  for (const connection of connections) connection[Symbol.dispose]();
});

it.concurrent("leaves a client alone that reads slowly, or waits for a slow answer", async () => {
  await using server = await start({ readMs: 1_000 });
  const client = await server.client();
  using held = holdBack(server, client);
  // Counted from when the server has its request: before, a machine that is busy may take the connection for an idle one.
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(1), waiting);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await sendRest(held)).status).toBe(201);
  expect(await refused(server, "read_time")).toBe(0);
});

it.concurrent("answers pipelined requests in order, and closes a connection with too many", async () => {
  await using server = await start({ connectionRequests: 20 });
  const client = await server.client();
  const headers = { Authorization: `Bearer ${client.key}` };
  const ids = Array.from({ length: 20 }, (_, index) => `request-${index}`);
  using pipelined = RawConnection.open(server.baseUrl);
  const request = (id: string) =>
    `GET /api/v1/context/history HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.Authorization}\r\nX-Request-Id: ${id}\r\n\r\n`;
  pipelined.write(ids.map(request).join(""));
  await vi.waitFor(() => expect(pipelined.answers.map((answer) => answer.headers.get("x-request-id"))).toEqual(ids), waiting);
  using tooMany = RawConnection.open(server.baseUrl);
  tooMany.write(request("one").repeat(21));
  await tooMany.closed;
  expect(await refused(server, "connection_requests")).toBe(1);
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(0), waiting);
});

const chunked = { "Content-Type": "application/json", "Transfer-Encoding": "chunked" };
/** Each byte in a chunk of its own. */
const inBytes = (bytes: Uint8Array) => Buffer.concat([...bytes].map((byte) => Buffer.from([0x31, 13, 10, byte, 13, 10])));

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
  const { key } = await server.client();
  using connection = RawConnection.open(server.baseUrl);
  connection.request(`POST ${paths[0]}`, { ...chunked, ...headers, Authorization: `Bearer ${key}` }).write(inBytes(bytes));
  const answer = await connection.answer();
  expectError(answer, "bad_request");
  expect(answer.body.message).toContain("Send chunks of at least 16 bytes.");
  await connection.closed;
  expect(await refused(server, "body_parts")).toBe(1);
});

it.concurrent("closes a connection that sends chunks behind another request", async () => {
  await using server = await start({});
  const { key } = await server.client();
  const headers = { Authorization: `Bearer ${key}` };
  using connection = RawConnection.open(server.baseUrl);
  connection.request("GET /api/v1/context/history", headers).request(`POST ${paths[0]}`, { ...headers, ...chunked });
  await connection.closed;
  expect(await refused(server, "connection_requests")).toBe(1);
});

it.concurrent("reads a body that is too large to its end, so that the connection goes on", async () => {
  await using server = await start({});
  const { key } = await server.client();
  using connection = RawConnection.open(server.baseUrl);
  const size = 24 * 1_048_576;
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Content-Length": size };
  connection.request(`POST ${paths[0]}`, headers).write(Buffer.alloc(size, " ")).request("GET /healthz");
  await vi.waitFor(() => expect(connection.answers.map(({ status }) => status)).toEqual([413, 200]), waiting);
});

it.concurrent("refuses connections past what one address may have", async () => {
  await using server = await start({ addressConnections: 5 });
  const open = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl));
  for (const connection of open) await connection.request("GET /api/v1/context/history").answer();
  using sixth = RawConnection.open(server.baseUrl);
  sixth.request("GET /api/v1/context/history");
  expectPast(await sixth.answer(), "unavailable");
  await sixth.closed;
  expect(sixth.answers).toHaveLength(1);
  open[0]?.request("GET /metrics");
  await vi.waitFor(() => expect(open[0]?.answers[1]?.text).toContain(`{bound="address_connections"} 1`), waiting);
  for (const connection of open) connection[Symbol.dispose]();
  await vi.waitFor(async () => expect((await rawRequest(server.baseUrl, { path: "/healthz" })).status).toBe(200), waiting);
});

it.concurrent("does not bound the connections of a trusted proxy, but those of the server", async () => {
  await using server = await TestServer.start({ trustProxy: 1 }, { addressConnections: 2, connections: 5 });
  const open = Array.from({ length: 5 }, () => RawConnection.open(server.baseUrl));
  for (const connection of open) expect((await connection.request("GET /healthz").answer()).status).toBe(200);
  using sixth = RawConnection.open(server.baseUrl);
  await sixth.closed;
  expect(sixth.answers).toEqual([]);
  open[0]?.request("GET /metrics");
  for (const connection of open) connection[Symbol.dispose]();
});

it.concurrent("shuts down without waiting for pipelined requests that it has not begun", async () => {
  await using server = await TestServer.start({ shutdownTimeoutMs: 600_000 });
  const client = await server.client();
  using connection = holdBack(server, client);
  await vi.waitFor(async () => expect(await inFlight(server)).toBe(1), waiting);
  const closed = server.close();
  connection.write(body.subarray(-12)).request("GET /healthz").request("GET /healthz");
  await Promise.all([closed, connection.closed]);
  expect(connection.answers.map(({ status }) => status)).toEqual([201]);
});
