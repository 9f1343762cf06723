import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { isDeep } from "./deep.js";
import { contextLine, exportText } from "./export-text.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";
import { testEngine } from "./test-database.js";

const rounds = isDeep ? 20 : 1;
/** Of which at least one has to be cut off. */
const attemptsMax = 30;
const contexts = 300;

const text = exportText(
  Array.from({ length: contexts }, (_, index) =>
    contextLine(`c${index}`, {
      content: `page ${index} `.repeat(200),
      levelReasons: [],
      writtenAt: new Date(Date.UTC(2026, 0, 31, 12, 0, index)).toISOString(),
    }),
  ),
);

const send = (client: TestClient) =>
  client.send("POST", "/data/import", { body: text, headers: { "Content-Type": "application/x-ndjson" } });

const total = async (client: TestClient): Promise<number> => (await client.get("/context/history?limit=1")).body.total;

it("imports everything once when the import was killed at any moment and is repeated", async () => {
  await using installation = await Installation.create({ RATE_LIMIT_READ: "1000000" });
  let server: ServerProcess = await installation.serve();
  let isCut = false;
  for (let round = 0; round < rounds || (!isCut && round < attemptsMax); round++) {
    const client = await installation.client(() => server, `user${round}`);
    const cut = send(client).catch(() => undefined);
    // At another place in each round.
    const stopAt = Math.floor((contexts * ((round % rounds) + 0.5)) / rounds);
    while ((await total(client)) < stopAt) await wait(20);
    await server.end("SIGKILL");
    await cut;
    server = await installation.serve();
    const stored = await total(client);
    isCut ||= stored < contexts;
    const { status, body } = await send(client);
    expect([status, body]).toEqual([200, expect.objectContaining({ created: contexts - stored, unchanged: stored, failed: 0 })]);
    const { body: exported } = await client.get("/data/export");
    expect(contextsOf(exported)).toEqual(contextsOf(text));
  }
  expect(isCut).toBe(true);
});

it("erases everything when the erasing was killed at any moment and is repeated", async () => {
  await using installation = await Installation.create({ RATE_LIMIT_READ: "1000000" });
  let server: ServerProcess = await installation.serve();
  // PostgreSQL removes so few contexts in one transaction, which a kill does not cut in two.
  let isCut = testEngine() === "postgres";
  for (let round = 0; round < rounds || (!isCut && round < attemptsMax); round++) {
    const client = await installation.client(() => server, `erased-user-${round}`);
    expect((await send(client)).body).toMatchObject({ created: contexts });
    const body = JSON.stringify({ confirm: client.userId });
    const erase = () => client.send("DELETE", "/data", { body, headers: { "Content-Type": "application/json" } });
    const cut = erase().catch(() => undefined);
    // At another place in each round.
    const stopAt = Math.floor(contexts - (contexts * ((round % rounds) + 0.5)) / rounds);
    const left = async () => (await client.get("/context/history?limit=1")).body.total ?? 0;
    while ((await left()) >= stopAt) await wait(20);
    await server.end("SIGKILL");
    await cut;
    server = await installation.serve();
    const { status, body: receipt } = await erase();
    // 401: everything was erased before.
    expect([200, 401]).toContain(status);
    isCut ||= status === 200;
    expect(receipt.verified?.found ?? 0).toBe(0);
    expect((await client.get("/key")).status).toBe(401);
    expect(await installation.database.rows('SELECT "contextId" FROM contexts WHERE "userId" = ?', client.userId)).toEqual([]);
  }
  expect(isCut).toBe(true);
});

/** The contexts of an export, by id. */
const contextsOf = (exported: string): Map<string, unknown> =>
  new Map(
    exported
      .split("\n")
      .filter((line) => line.startsWith('{"kind":"context"'))
      .map((line) => JSON.parse(line) as { contextId: string })
      .map((context) => [context.contextId, context]),
  );
