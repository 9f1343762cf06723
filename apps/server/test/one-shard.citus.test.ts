import { expect, it, vi } from "vitest";
import { CitusCluster } from "./citus-cluster.js";
import { configMessage, createMessage, deleteMessage, errorMessage, updateMessage } from "./messages.js";
import { isOfARequest, isOfOneUser } from "./one-user-statements.js";
import { TestServer } from "./test-server.js";

// Runs only where TEST_CITUS_WORKERS asks for a cluster. On one server, collect-statements.ts checks what every test file sends.

/** The coordinator's log has the statements of the service, and what it asks of the workers for each. */
const settings = {
  log_statement: "all",
  log_line_prefix: "@%a %p@ ",
  "citus.log_remote_commands": "on",
  log_min_messages: "notice",
};

/** What a coordinator has asked of workers for each statement of the service, the one time that it asked for most; by its log. */
function remoteCommands(entries: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const current = new Map<string, { sql: string; commands: string[] }>();
  for (const entry of entries) {
    const [, session = "", kind = "", text = ""] =
      /^@periscope (\d+)@ (LOG: {2}(?:statement|execute [^:]+): |NOTICE: {2}issuing )(.*)/s.exec(entry) ?? [];
    const last = current.get(session);
    if (kind.startsWith("LOG")) current.set(session, { sql: text.trim(), commands: [] });
    else if (last && !/^(?:BEGIN|COMMIT|ROLLBACK|PREPARE|SAVEPOINT|RELEASE|SET|WITH placement_data)\b/.test(text)) {
      last.commands.push(text);
      if (last.commands.length >= (found.get(last.sql)?.length ?? 0)) found.set(last.sql, last.commands);
    }
  }
  return found;
}

it("sends statements of one user only, so that each runs on one machine of many", async () => {
  let log = "";
  await using cluster = await CitusCluster.start({ settings, onLog: (text) => (log += text) });
  await cluster.createDatabase("periscope");
  await using server = await TestServer.start({ databaseUrl: cluster.servers[0].url("periscope"), databaseConnections: 2 });
  const client = await server.client();
  const limited = await server.client({ userId: client.userId, maxPrivacyLevel: "private" });
  const rivals = await server.client();
  await rivals.sync(createMessage({ context: { id: "theirs" } }));
  // Users and keys are made by commands, and what is old is cleared away at the start; from here on there are requests only.
  await vi.waitFor(() => expect(log).toContain("DELETE FROM usage_by_day WHERE day < $1"), 60_000);
  const beforehand = log;
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
  await vi.waitFor(() => expect(log).toContain('SELECT 1 FROM contexts WHERE "contextId" = $1'), 60_000);

  const entriesOf = (text: string) => text.split(/^(?=@)/m);
  const isError = (entry: string) => entry.startsWith("@periscope ") && entry.includes("@ ERROR: ");
  expect(entriesOf(beforehand + log).filter(isError)).toEqual([]);
  const entries = entriesOf(log);
  const statements = new Set(
    entries
      .map((entry) => /^@periscope \d+@ LOG: {2}(?:statement|execute [^:]+): (.*)/s.exec(entry)?.[1]?.trim())
      .filter((sql) => sql !== undefined)
      // Citus logs what it asks of the coordinator's own part, too.
      .filter((sql) => !/ public\.\w+_\d+ /.test(sql)),
  );
  expect(statements.size).toBeGreaterThan(30);
  expect([...statements].filter((sql) => !isOfARequest(sql))).toEqual([]);
  const asked = remoteCommands(entries);
  expect(asked.size).toBeGreaterThan(25);
  const tasks = (sql: string) => asked.get(sql)?.length ?? 0;
  // Rows that the coordinator makes itself, it copies to their shard by another command.
  expect(
    [...asked].filter(([sql, commands]) => isOfOneUser(sql) && (tasks(sql) > 1 || commands.some((each) => each.startsWith("COPY ")))),
  ).toEqual([]);
  // What a request writes is on one machine, which commits by itself; keys are on all of them.
  const isPrepare = (entry: string) => entry.startsWith("@periscope ") && entry.includes("issuing PREPARE TRANSACTION");
  expect(entries.filter(isPrepare)).toEqual([]);
  expect(entriesOf(beforehand).filter(isPrepare)).not.toEqual([]);
  // The check would find one.
  expect([...asked.keys()].some((sql) => tasks(sql) > 1)).toBe(true);
});
