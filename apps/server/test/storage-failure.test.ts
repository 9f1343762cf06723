import { expect } from "vitest";
import { expectError } from "./answer-checks.js";
import { createMessage, deleteMessage } from "./messages.js";
import { OAuthAgent } from "./oauth-agent.js";
import { PortalClient } from "./portal-client.js";
import { readMetrics } from "./prometheus-text.js";
import { testEngine } from "./test-database.js";
import { type TestServer, withOwnServer as it } from "./test-server.js";

/** Lets the database refuse to write rows of a table, with an error that says `password of the database`, until it is lifted. */
async function failWrites(server: TestServer, table: string, only?: { column: string; value: string }) {
  const run = async (statements: string[]) => {
    for (const statement of statements) await server.rows(statement);
  };
  const refuse = async (statements: string[], lift: string[]) => (await run(statements), { lift: () => run(lift) });
  if (testEngine() === "sqlite") {
    const when = only === undefined ? "" : `WHEN (new."${only.column}" = '${only.value}')`;
    const act = "BEGIN SELECT RAISE(ABORT, 'password of the database'); END";
    const verbs = ["INSERT", "UPDATE"];
    return refuse(
      verbs.map((verb) => `CREATE TRIGGER refuse_${verb} BEFORE ${verb} ON ${table} ${when} ${act}`),
      verbs.map((verb) => `DROP TRIGGER refuse_${verb}`),
    );
  }
  // No trigger: tables that are spread over machines have none.
  const allowed = only === undefined ? "false" : `"${only.column}" <> '${only.value}'`;
  const constraint = `ALTER TABLE ${table} ADD CONSTRAINT "password of the database" CHECK (${allowed}) NOT VALID`;
  return refuse([constraint], [`ALTER TABLE ${table} DROP CONSTRAINT "password of the database"`]);
}

it("answers 500 to a batch whose last write fails, and stores nothing of it", async ({ server, client }) => {
  const stored = async () => {
    const [history, search] = [await client.get("/context/history"), await client.get("/context/search?query=lighthouses")];
    return [history.body.total, search.body.total];
  };
  await client.sync(createMessage({ context: { id: "before" } }));
  // By then contexts and their places in the index have been written.
  const failing = await failWrites(server, "processed_messages", { column: "messageId", value: "poison" });
  const messages = [...["first", "poison", "last"].map((messageId) => createMessage({ messageId })), deleteMessage("nothing")];
  for (const answer of [await client.batch(messages), await client.sync(messages[1])]) {
    expectError(answer, "internal_error");
    expect(answer.body.message).not.toContain("password");
  }
  expect(await stored()).toEqual([1, 1]);
  const metrics = await readMetrics(server);
  const failed = (type: string) => metrics.value("periscope_sync_messages_total", { type, outcome: "internal_error" });
  expect([failed("create"), failed("delete"), metrics.value("periscope_privacy_contexts_total")]).toEqual([4, 1, 1]);
  await failing.lift();
  const { body } = await client.batch(messages);
  expect(body).toMatchObject({ synced: 4, failed: 0 });
  expect(body.results.filter(({ duplicate }: { duplicate?: true }) => duplicate)).toEqual([]);
  expect(await stored()).toEqual([4, 4]);
});

it("leaves no user when the first key cannot be made", async ({ server }) => {
  const failing = await failWrites(server, "api_keys");
  await expect(server.access.createFirstKey()).rejects.toThrow("apiKey.create");
  expect(await server.access.listUsers()).toEqual([]);
  await failing.lift();
  expect(await server.access.createFirstKey()).toMatchObject({ userId: expect.stringMatching(/^usr_[0-9A-HJKMNP-TV-Z]{26}$/) });
});

it("leaves a code and a refresh token unused when their exchange fails", async ({ server }) => {
  const { browser } = await PortalClient.owner(server, { name: "Ada", email: "ada@example.org", password: "correct horse battery" });
  const agent = await OAuthAgent.register(server);
  const earlier = await agent.connect(browser);
  const earlierKey = (await server.access.listKeys()).at(-1)?.keyId ?? "";
  const code = await agent.code(browser);
  // The new tokens are stored, then the key before them is revoked.
  for (const [table, column, value] of [
    ["auth_tokens", "kind", "refresh"],
    ["api_keys", "keyId", earlierKey],
  ] as const) {
    const failing = await failWrites(server, table, { column, value });
    expect(await agent.redeem(code)).toMatchObject({ status: 500 });
    expect(await agent.refresh(earlier.refresh)).toMatchObject({ status: 500 });
    await failing.lift();
  }
  server.clock.aheadMs = 61_000;
  expect(await agent.refresh(earlier.refresh)).toMatchObject({ status: 200 });
  const { status, body } = await agent.redeem(code);
  expect([status, await agent.mcpStatus(body["access_token"] as string), await agent.mcpStatus(earlier.access)]).toEqual([200, 200, 401]);
});
