import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { exportText } from "./export-text.js";
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

it("refuses a line of 1 GB within bounded memory", async ({ client }) => {
  const chunk = Buffer.alloc(65_536, "a");
  const growth = await growthOf(async () => {
    const answer = await upload(client, endless(chunk, 1024 * mebi)).catch((error: unknown) => error as Error);
    // The connection may be closed while the client still sends.
    if (!(answer instanceof Error)) expect([answer.status, answer.body.error]).toEqual([413, "payload_too_large"]);
  });
  expect(growth).toBeLessThan(512 * mebi);
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

it("imports nothing of an upload that breaks off", async ({ client }) => {
  const aborting = new AbortController();
  const text = Buffer.from(exportText([]));
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(text),
    pull: () => aborting.abort(),
  });
  const init = { body, duplex: "half", signal: aborting.signal, headers: { "Content-Type": "application/x-ndjson" } } as RequestInit;
  await expect(client.send("POST", "/data/import", init)).rejects.toThrow("abort");
  expect((await client.get("/context/history")).body.total).toBe(0);
});
