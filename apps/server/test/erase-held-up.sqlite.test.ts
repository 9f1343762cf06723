import Database from "better-sqlite3";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fillDays } from "./day-contexts.js";
import { Installation, type ServerProcess } from "./server-process.js";
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

/** A server that erases somebody whose reader has left, and a lock that holds it up. */
async function startHeldUp(variables: Record<string, string>) {
  const installation = await Installation.create({ LOG_LEVEL: "error", ...variables });
  let server: ServerProcess = await installation.serve();
  const client = await installation.client(() => server);
  await fillDays(client, 300);
  const locked = lock(join(installation.dataDir, "periscope.db"));
  const reader = new AbortController();
  const erased = erasing(client, server.baseUrl, reader.signal).catch(() => undefined);
  await expect.poll(async () => (await client.get("/key")).body.limits.delete.remaining).toBe(119);
  reader.abort();
  await erased;
  return {
    installation,
    client,
    server,
    locked,
    restart: async () => (server = await installation.serve()),
    async [Symbol.asyncDispose]() {
      locked[Symbol.dispose]();
      await installation[Symbol.asyncDispose]();
    },
  };
}

it("logs how to continue when a stop interrupts an erasure, and continues when asked", async () => {
  await using world = await startHeldUp({ SHUTDOWN_TIMEOUT_MS: "1" });
  const { server, client, installation } = world;
  const { baseUrl } = server;
  const stopped = server.end("SIGTERM");
  // Its time to finish is over.
  const isGone = () =>
    fetch(baseUrl).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone).toBe(true);
  world.locked.release();
  expect(await stopped).toBe(0);
  expect(server.out + server.err).toMatch(/"userId":"someone".*`periscope users erase ID`/);
  const left = (await installation.database.rows(`SELECT "contextId" FROM contexts`)).length;
  expect(left).toBeGreaterThan(0);

  const { baseUrl: newUrl } = await world.restart();
  const again = await erasing(client, newUrl);
  expect([again.status, await again.json()]).toMatchObject([200, { counts: { contexts: left }, verified: { found: 0 } }]);
});

it("finishes an erasure before it stops, although its client has disconnected", async () => {
  await using world = await startHeldUp({});
  const { server, installation } = world;
  const stopped = server.end("SIGTERM");
  world.locked.release();
  expect(await stopped).toBe(0);
  expect(await installation.database.rows(`SELECT "userId" FROM users`)).toEqual([]);
  expect(server.out + server.err).not.toContain("erasing");
});
