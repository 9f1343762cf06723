import { afterAll, beforeAll, expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";
import type { TestClient } from "./test-client.js";

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
