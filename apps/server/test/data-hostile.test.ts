import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { contextLine, exportText } from "./export-text.js";
import { readMetrics } from "./prometheus-text.js";
import { RawConnection } from "./raw-connection.js";
import type { Answer, TestClient } from "./test-client.js";
import { withSharedServer as it } from "./test-server.js";

const mebi = 1_048_576;

/** Sends chunks as the server takes them. */
function upload(client: TestClient, chunks: Iterable<Uint8Array>): Promise<Answer> {
  const source = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = source.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  const init = { body, duplex: "half", headers: { "Content-Type": "application/x-ndjson" } } as RequestInit;
  return client.send("POST", "/data/import", init);
}

function* endless(chunk: Uint8Array, bytes: number): Generator<Uint8Array> {
  yield Buffer.from(exportText([]).split("\n", 1)[0] + "\n");
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}

/** Whether the memory of this process, which is the server's, stays within a bound during work. */
async function growthOf(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  await work().finally(() => clearInterval(timer));
  return most - before;
}

it("refuses a line of 1 GB within bounded memory", async ({ server, client }) => {
  const chunk = Buffer.alloc(65_536, "a");
  const growth = await growthOf(async () => {
    const answer = await upload(client, endless(chunk, 1024 * mebi)).catch((error: Error) => error.cause as NodeJS.ErrnoException);
    // The connection may be closed while the client still sends.
    if (answer instanceof Error) expect(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]).toContain(answer.code);
    else expect([answer.status, answer.body.error]).toEqual([413, "payload_too_large"]);
  });
  expect(growth).toBeLessThan(512 * mebi);
  const refused = { route: "/data/import", status: "413" };
  await expect.poll(async () => (await readMetrics(server)).value("periscope_http_requests_total", refused)).toBe(1);
  expect((await client.get("/context/history")).status).toBe(200);
});

it("refuses a zip bomb within bounded memory", async ({ client }) => {
  const header = gzipSync(exportText([]).split("\n", 1)[0] + "\n");
  for (const filling of ["{", "\n"]) {
    const member = gzipSync(Buffer.alloc(16 * mebi, filling));
    const bomb = Buffer.concat([header, ...Array<Buffer>(64).fill(member)]);
    const growth = await growthOf(async () => {
      const answer = await upload(client, [bomb]);
      expect([filling, answer.status]).toEqual([filling, filling === "{" ? 413 : 400]);
    });
    expect(growth).toBeLessThan(512 * mebi);
  }
});

it("imports nothing of an upload that breaks off", async ({ server, client }) => {
  // More than lies between two sockets, so that the server has read the first context once all but the end is sent.
  const whole = exportText([contextLine("a"), contextLine("b", { note: "x".repeat(15 * mebi) })]);
  const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/x-ndjson", "Content-Length": whole.length };
  using breaking = RawConnection.open(server.baseUrl).request("POST /api/v1/data/import", headers);
  const { promise: sent, resolve } = Promise.withResolvers<unknown>();
  breaking.socket.write(whole.slice(0, whole.lastIndexOf(`{"kind":"end"`)), resolve);
  expect(await sent).toBeFalsy();
  breaking[Symbol.dispose]();
  // That of the metrics.
  await expect.poll(async () => (await readMetrics(server)).value("periscope_http_requests_in_flight")).toBe(1);
  expect((await client.get("/context/history")).body.total).toBe(0);
  expect((await upload(client, [Buffer.from(whole)])).body).toMatchObject({ created: 2 });
});
