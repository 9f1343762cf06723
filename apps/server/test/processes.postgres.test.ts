import { afterAll, beforeAll, expect, it } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { Answer, TestClient } from "./test-client.js";

const plenty = "1000000";
const rates = { RATE_LIMIT_SYNC: plenty, RATE_LIMIT_BATCH_SYNC: plenty, RATE_LIMIT_READ: "200", RATE_LIMIT_SEARCH: plenty };

let installation: Installation;
let servers: ServerProcess[];
beforeAll(async () => {
  installation = await Installation.create(rates);
  // All at once: one of them makes the tables.
  servers = await Promise.all([installation.serve(), installation.serve(), installation.serve()]);
});
afterAll(() => installation[Symbol.asyncDispose]());

/** A client of each server, all with one key of a new user. */
async function clientsOf(user: string): Promise<[TestClient, TestClient, TestClient]> {
  const client = await installation.client(() => servers[0]!, user);
  return [client, client.at(() => servers[1]!.baseUrl), client.at(() => servers[2]!.baseUrl)];
}

const shuffled = <T>(values: readonly T[]) =>
  values
    .map((value) => [Math.random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);

it("makes one first key, however many servers start at once on an empty database: one of them prints it", async () => {
  expect(servers.filter(({ out }) => out.includes("psk_"))).toHaveLength(1);
  expect(JSON.parse((await installation.run("users", "list", "--json")).out)).toHaveLength(1);
  expect(JSON.parse((await installation.run("keys", "list", "--json")).out)).toHaveLength(1);
});

it("a message that reaches all processes at the same moment takes effect once, and is answered the same by all", async () => {
  const clients = await clientsOf("once");
  const messages = Array.from({ length: 30 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all(
    messages.map((message) => Promise.all(shuffled(clients).map((client) => client.syncUntilTaken(message)))),
  );
  for (const each of answers) {
    expect(each.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(each.filter(({ body }) => body.duplicate === true)).toHaveLength(2);
    expect(new Set(each.map(({ body }) => body.contextId)).size).toBe(1);
  }
  for (const client of clients) expect((await client.get("/context/history?limit=1")).body.total).toBe(messages.length);
});

it("batches that overlap take effect once a message, whichever process they reach first", async () => {
  const clients = await clientsOf("batches");
  const messages = Array.from({ length: 120 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => clients[index % 3]!.batch(shuffled(messages.slice(index * 7, index * 7 + 40)))),
  );
  const results = answers.flatMap(({ body }) => body.results as Array<{ messageId: string; contextId: string; duplicate?: true }>);
  expect(results).toHaveLength(480);
  const sent = new Set(results.map(({ messageId }) => messageId));
  expect(results.filter(({ duplicate }) => duplicate !== true)).toHaveLength(sent.size);
  expect(new Set(results.map(({ contextId }) => contextId)).size).toBe(sent.size);
  expect((await clients[0].get("/context/history?limit=1")).body.total).toBe(sent.size);
});

it("the newest message wins, however writes and deletes are spread over the processes", async () => {
  const clients = await clientsOf("newest");
  const time = (second: number) => new Date(Date.parse("2026-01-31T12:00:00Z") + second * 1000).toISOString();
  const contexts = Array.from({ length: 12 }, (_, index) => {
    const id = `c${index}`;
    const isDeleted = index % 4 === 0;
    const moves = Array.from({ length: 8 }, (_, at) =>
      at % 3 === 0
        ? createMessage({ timestamp: time(at), context: { id, content: `written at ${at}` } })
        : updateMessage(id, { content: `written at ${at}` }, { timestamp: time(at) }),
    );
    return { id, isDeleted, moves: isDeleted ? [...moves, deleteMessage(id, { timestamp: time(8) })] : moves };
  });
  for (const { moves } of contexts) expect((await clients[0].sync(moves[0])).status).toBe(201);
  await Promise.all(contexts.flatMap(({ moves }) => shuffled(moves).map((move, index) => clients[index % 3]!.syncUntilTaken(move))));
  for (const { id, isDeleted } of contexts) {
    const { status, body } = await clients[1].get(`/context/${id}`);
    expect([status, body.content]).toEqual(isDeleted ? [404, undefined] : [200, "written at 7"]);
  }
});

it("a key that was revoked is refused by every process at once, also by those that have just used it", async () => {
  const clients = await clientsOf("revoked");
  for (const client of clients) expect((await client.get("/context/history")).status).toBe(200);
  const { code } = await installation.run("keys", "revoke", clients[0].keyId);
  expect(code).toBe(0);
  for (const client of clients) expect((await client.get("/context/history")).status).toBe(401);
});

it("a budget is one for all processes: never more than the limit, and little less", async () => {
  let answers: Answer[] = [];
  // Once more, for another user, when the minute came to its end meanwhile.
  const minutes = () => new Set(answers.map(({ headers }) => headers.get("x-ratelimit-reset")));
  for (let round = 0; round < 3 && minutes().size !== 1; round++) {
    const clients = await clientsOf(`budget-${round}`);
    answers = await Promise.all(Array.from({ length: 450 }, (_, index) => clients[index % 3]!.get("/context/history")));
  }
  expect(minutes().size).toBe(1);
  const allowed = answers.filter(({ status }) => status !== 429);
  expect(allowed.length).toBe(200);
  for (const { headers } of answers) expect(headers.get("x-ratelimit-limit")).toBe("200");
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
});
