import { PostgresServer } from "@periscope/postgres/server";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { configMessage, createMessage, deleteMessage, errorMessage, updateMessage } from "./messages.js";
import { TestServer } from "./test-server.js";

vi.setConfig({ testTimeout: 60_000 });

/** Statements that are not of one user, each with why it may be so where users are spread over machines. */
const known: ReadonlyArray<readonly [what: RegExp, why: string]> = [
  [/^(?:BEGIN|COMMIT|ROLLBACK|SET LOCAL)\b/, "a transaction"],
  [/^SELECT count FROM access_changes\b/, "one row, which every machine has"],
  [/ FROM api_keys\s+WHERE "keyId" = \$1$|^UPDATE api_keys SET "lastUsedAt"/, "every machine has the keys"],
  [/^SELECT 1 FROM users u WHERE EXISTS/, "whether anybody else has a context; only when the user has none of the id"],
  [/^SELECT 1 FROM users LIMIT 1$/, "whether the database answers"],
  [/pg_(?:try_)?advisory_(?:un)?lock|extract\(epoch FROM min\(|^DELETE FROM rate_windows WHERE "window"/, "hourly, beside requests"],
];

/** Whether a statement is of one user, named by a value: it compares the user's column with one, or writes rows of one. */
const isOfOneUser = (sql: string) =>
  /"userId" = \$\d/.test(sql) || /^INSERT INTO \w+ (?:AS \w+ )?\("userId"[^)]*\)\s+(?:SELECT|VALUES \()\s*\$1\b/.test(sql);

it("every statement of a request is of one user, so that it runs on one machine of many", async () => {
  let log = "";
  await using database = await PostgresServer.start({
    binaries: process.env["TEST_POSTGRES_BIN"] || undefined,
    settings: { log_statement: "all", log_line_prefix: "@%a@ " },
    onLog: (text) => (log += text),
  });
  const admin = new pg.Client(database.url());
  await admin.connect();
  await admin.query("CREATE DATABASE periscope");
  await admin.end();
  await using server = await TestServer.start({ databaseUrl: database.url("periscope"), databaseConnections: 2 });
  const client = await server.client();
  const limited = await server.client({ userId: client.userId, maxPrivacyLevel: "private" });
  const rivals = await server.client();
  await rivals.sync(createMessage({ context: { id: "theirs" } }));
  // Users and keys are made by commands; from here on there are requests only.
  log = "";

  await client.put("/privacy/rules", { denyList: ["Quill"] });
  await client.get("/privacy/rules");
  const messages = [
    createMessage({ context: { id: "a" } }),
    createMessage({ context: { id: "b" } }),
    updateMessage("a", { title: "Another" }),
    { id: "h", type: "heartbeat", timestamp: "2026-01-31T13:00:00Z", payload: { type: "heartbeat", contextId: "a" } },
    deleteMessage("b"),
    createMessage({ timestamp: "2026-01-31T14:00:00Z", context: { id: "b" } }),
    configMessage("g", 1, { theme: "dark" }),
    errorMessage("E"),
  ];
  for (const message of messages) expect((await client.sync(message)).status).toBe(201);
  await client.batch([...messages, createMessage()]);
  const filters = ["", "&type=page", "&privacyLevel=private", "&type=page&privacyLevel=private"];
  for (const reader of [client, limited]) {
    for (const path of ["current", "current?tabId=7", "current?extensionId=e", "current?tabId=7&extensionId=e", "a", "theirs"])
      await reader.get(`/context/${path}`);
    for (const filter of filters) {
      await reader.get(`/context/history?limit=1&since=2020-01-01T00:00:00Z&until=2030-01-01T00:00:00Z${filter}`);
      const { nextCursor } = (await reader.get(`/context/history?limit=1${filter}`)).body;
      if (nextCursor) await reader.get(`/context/history?limit=1&cursor=${nextCursor}${filter}`);
      for (const query of [
        "query=lighthouses",
        "query=lighthouses+nothing",
        "urlPattern=example",
        "query=lighthouses&urlPattern=*example*",
      ])
        await reader.get(`/context/search?${query}&startTime=2020-01-01T00:00:00Z${filter}`);
    }
  }
  for (const id of ["a", "nothing", "theirs"]) await client.delete(`/context/${id}`);
  await vi.waitFor(() => expect(log).toContain("context_of_any_user"), 5000);

  const statements = new Set(
    log
      .split(/^(?=@)/m)
      .map((entry) => /^@periscope@ LOG: {2}(?:statement|execute [^:]+): (.*)/s.exec(entry)?.[1]?.trim())
      .filter((sql) => sql !== undefined),
  );
  expect(statements.size).toBeGreaterThan(30);
  const others = [...statements].filter((sql) => !isOfOneUser(sql) && !known.some(([what]) => what.test(sql)));
  expect(others).toEqual([]);
  // The check would find one.
  expect(isOfOneUser('SELECT * FROM contexts WHERE "contextId" = $1')).toBe(false);
});
