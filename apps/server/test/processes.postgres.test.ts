import { afterAll, beforeAll, expect, it } from "vitest";
import { createMessage } from "./messages.js";
import { Installation, type ServerProcess } from "./server-process.js";

let installation: Installation;
let servers: ServerProcess[];
beforeAll(async () => {
  installation = await Installation.create();
  // All at once: one of them makes the tables.
  servers = await Promise.all([installation.serve(), installation.serve(), installation.serve()]);
});
afterAll(() => installation[Symbol.asyncDispose]());

it("makes one first key, however many servers start at once on an empty database: one of them prints it", async () => {
  expect(servers.filter(({ out }) => out.includes("psk_"))).toHaveLength(1);
  expect(JSON.parse((await installation.run("users", "list", "--json")).out)).toHaveLength(1);
  expect(JSON.parse((await installation.run("keys", "list", "--json")).out)).toHaveLength(1);
});

it("a message that reaches all processes at the same moment takes effect once, and is answered the same by all", async () => {
  const client = await installation.client(() => servers[0]!);
  const clients = servers.map((server) => client.at(() => server.baseUrl));
  const messages = Array.from({ length: 30 }, () => createMessage({ context: { id: undefined } }));
  const answers = await Promise.all(messages.map((message) => Promise.all(clients.map((each) => each.syncUntilTaken(message)))));
  for (const each of answers) {
    expect(each.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(each.filter(({ body }) => body.duplicate === true)).toHaveLength(2);
    expect(new Set(each.map(({ body }) => body.contextId)).size).toBe(1);
  }
  for (const each of clients) expect((await each.get("/context/history?limit=1")).body.total).toBe(messages.length);
});
