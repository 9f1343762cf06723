import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { closedLoop } from "./closed-loop.ts";
import { messageTemplate, MessageStream, numberMark, timeMark } from "./message-stream.ts";
import { requestBytes } from "./request-bytes.ts";

async function serverOf(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, [Symbol.asyncDispose]: close };
}

const paths = (port: number) => {
  let turn = 0;
  return () => requestBytes({ method: "GET", path: `/${(turn += 1)}`, port, key: "psk_x" });
};

test("every request is answered once, and the answers are counted by status", async () => {
  const seen: string[] = [];
  await using server = await serverOf((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`);
    const status = seen.length % 10 === 0 ? 429 : 200;
    // Long enough to come in several parts.
    const body = "x".repeat(seen.length % 3 === 0 ? 200_000 : 10);
    response.writeHead(status, { "content-length": body.length }).end(body);
  });
  const result = await closedLoop({ port: server.port, connections: 3, seconds: 30, requests: 50 }, paths(server.port));
  expect(result).toMatchObject({ requests: 50, statuses: { 200: 45, 429: 5 } });
  expect(result.latencies).toHaveLength(50);
  expect(new Set(seen).size).toBe(50);
  expect(seen[0]).toBe("/1 Bearer psk_x");
});

test("the load ends when its time is over", async () => {
  await using server = await serverOf((_, response) => void response.writeHead(204).end());
  const { requests, seconds } = await closedLoop({ port: server.port, connections: 2, seconds: 0.5 }, paths(server.port));
  expect(requests).toBeGreaterThan(0);
  expect(seconds).toBeGreaterThanOrEqual(0.4);
});

test("a connection that breaks, or an answer without an end, fails the load", async () => {
  await using breaking = await serverOf((request) => void request.socket.destroy());
  await expect(closedLoop({ port: breaking.port, connections: 1, seconds: 5 }, paths(breaking.port))).rejects.toThrow(/closed|ECONNRESET/);
  await using endless = await serverOf((_, response) => void response.write("chunk"));
  await expect(closedLoop({ port: endless.port, connections: 1, seconds: 5 }, paths(endless.port))).rejects.toThrow(/Content-Length/);
});

test("a stream sends every message once, as valid JSON of the stated length, each a second later", async () => {
  const bodies: string[] = [];
  await using server = await serverOf((request, response) => {
    void request.toArray().then((chunks) => {
      bodies.push(Buffer.concat(chunks).toString());
      return response.writeHead(207, { "content-length": 2 }).end("{}");
    });
  });
  const templates = ["é", "b"].map((text) => messageTemplate({ id: `m-${numberMark}`, at: timeMark, again: [numberMark, text] }));
  const stream = new MessageStream({ templates, perRequest: 3, first: 7, epoch: 0, path: "/", port: server.port, key: "k" });
  await closedLoop({ port: server.port, connections: 1, seconds: 30, requests: 2 }, () => stream.next());
  const messages = bodies.flatMap((body) => (JSON.parse(body) as { messages: unknown[] }).messages);
  expect(messages).toHaveLength(6);
  expect(messages[0]).toEqual({ id: "m-0000000007", at: "1970-01-01T00:00:07.000Z", again: ["0000000007", "b"] });
  expect(messages[5]).toEqual({ id: "m-0000000012", at: "1970-01-01T00:00:12.000Z", again: ["0000000012", "é"] });
});
