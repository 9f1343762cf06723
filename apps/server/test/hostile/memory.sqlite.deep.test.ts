import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { createMessage } from "../messages.js";
import { RawConnection } from "../raw-connection.js";
import { Installation, type ServerProcess } from "../server-process.js";
import type { TestClient } from "../test-client.js";

/** A server with a heap of 512 MB, and two users of it. */
async function start() {
  const installation = await Installation.create({ NODE_OPTIONS: "--max-old-space-size=512", RATE_LIMIT_READ: "1000000" });
  const server = await installation.serve();
  const [attacker, other] = [await installation.client(() => server, "attacker"), await installation.client(() => server, "other")];
  return { installation, server, attacker, other };
}

const residentMegabytes = ({ pid }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1_024;

async function expectServed(client: TestClient): Promise<void> {
  for (let count = 0; count < 20; count++) expect((await client.sync(createMessage())).status).toBe(201);
}

it("lives through 330 bodies of 16 MB whose last bytes are held back", async () => {
  const { installation, server, attacker, other } = await start();
  await using _ = installation;
  await expectServed(other);
  const body = gzipSync(" ".repeat(16_700_000));
  const headers = { Authorization: `Bearer ${attacker.key}`, "Content-Type": "application/json", "Content-Encoding": "gzip" };
  const held = Array.from({ length: 330 }, () => {
    const connection = RawConnection.open(server.baseUrl);
    connection.request("POST /api/v1/context/sync", { ...headers, "Content-Length": body.length });
    return connection.write(body.subarray(0, -12));
  });
  // All but those that the user may hold are refused.
  const answered = () => held.filter(({ answers }) => [429, 503].includes(answers[0]?.status ?? 0)).length;
  await vi.waitFor(() => expect(answered()).toBeGreaterThan(300), { timeout: 60_000, interval: 200 });
  await expectServed(other);
  expect(residentMegabytes(server)).toBeLessThan(512);
  for (const connection of held) connection[Symbol.dispose]();
  await vi.waitFor(async () => expect((await attacker.get("/context/history")).status).toBe(200), { timeout: 30_000 });
});

it("lives through 150 connections that ask for 30 answers of 1 MB each and read none", async () => {
  const { installation, server, attacker, other } = await start();
  await using _ = installation;
  const content = "lighthouse ".repeat(95_000);
  expect((await attacker.sync(createMessage({ context: { id: "large", content } }))).status).toBe(201);
  await expectServed(other);
  const silent = Array.from({ length: 150 }, () => {
    const connection = RawConnection.open(server.baseUrl, { reads: false });
    for (let count = 0; count < 30; count++) connection.request("GET /api/v1/context/large", { Authorization: `Bearer ${attacker.key}` });
    return connection;
  });
  // Clients that read nothing for 30 seconds are disconnected.
  await vi.waitFor(async () => expect((await attacker.get("/context/large")).status).toBe(429), { timeout: 60_000, interval: 200 });
  await expectServed(other);
  expect(residentMegabytes(server)).toBeLessThan(600);
  await vi.waitFor(async () => expect((await attacker.get("/context/large")).status).toBe(200), { timeout: 120_000, interval: 1_000 });
  for (const connection of silent) connection[Symbol.dispose]();
});
