import Database from "better-sqlite3";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillDays } from "./day-contexts.js";
import { readMetrics } from "./prometheus-text.js";
import { Installation, type ServerProcess } from "./server-process.js";
import { rawFiles } from "./stored-bytes.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

const erasing = (client: TestClient, baseUrl: string, signal?: AbortSignal) =>
  fetch(`${baseUrl}/data`, {
    method: "DELETE",
    headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ confirm: client.userId }),
    ...(signal && { signal }),
  });

/** Keeps a database from being written. */
function lock(file: string) {
  const db = new Database(file);
  db.exec("BEGIN IMMEDIATE");
  return { release: () => void db.exec("COMMIT"), [Symbol.dispose]: () => void db.close() };
}

it("sends spaces during a long erasure, so that proxies keep waiting", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await fillDays(client);
  using locked = lock(server.databaseFile);
  const { status, body } = await erasing(client, server.baseUrl);
  const chunks = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await chunks?.read())?.value ?? "";
  expect([status, text]).toEqual([200, " "]);
  locked.release();
  for (let chunk; !(chunk = await chunks?.read())?.done;) text += chunk?.value;
  expect(JSON.parse(text)).toMatchObject({ counts: { contexts: 30 }, verified: { found: 0 } });
});

/** Asks to be erased, and leaves once that has begun. */
async function askAndLeave(client: TestClient, baseUrl: string): Promise<void> {
  const reader = new AbortController();
  const erased = erasing(client, baseUrl, reader.signal).catch(() => undefined);
  // The reading of the metrics is the other one.
  await expect.poll(async () => (await readMetrics({ baseUrl })).value("periscope_http_requests_in_flight")).toBe(2);
  reader.abort();
  await erased;
}

it("logs how to continue when a stop interrupts an erasure, and continues when asked", async () => {
  await using installation = await Installation.create({ LOG_LEVEL: "error", SHUTDOWN_TIMEOUT_MS: "1" });
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  await fillDays(client, 300);
  using locked = lock(join(installation.dataDir, "periscope.db"));
  const { baseUrl } = server;
  await askAndLeave(client, baseUrl);
  const stopped = server.end("SIGTERM");
  // Its time to finish is over.
  const isGone = () =>
    fetch(baseUrl).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone).toBe(true);
  locked.release();
  expect(await stopped).toBe(0);
  expect(server.out + server.err).toMatch(/"userId":"someone".*`periscope users erase ID`/);
  const left = (await installation.database.rows(`SELECT "contextId" FROM contexts`)).length;
  expect(left).toBeGreaterThan(0);

  server = await installation.serve();
  const again = await erasing(client, server.baseUrl);
  expect([again.status, await again.json()]).toMatchObject([200, { counts: { contexts: left }, verified: { found: 0 } }]);
});

it("finishes an erasure before it stops, although its client has disconnected", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await fillDays(client);
  using locked = lock(server.databaseFile);
  await askAndLeave(client, server.baseUrl);
  const stopped = server.close();
  locked.release();
  await stopped;
  expect(await server.rows(`SELECT "userId" FROM users`)).toEqual([]);
  expect(rawFiles(server.config.dataDir).filter(({ bytes }) => bytes.includes(client.userId))).toEqual([]);
});
