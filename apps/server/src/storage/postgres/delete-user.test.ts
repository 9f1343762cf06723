import { expect, it } from "vitest";
import { citusWorkers } from "../../../test/citus-workers.js";
import { TestServer } from "../../../test/test-server.js";
import { createMessage } from "../../../test/messages.js";

it("removes a user with more contexts than one statement takes, and nothing of another", async () => {
  await using server = await TestServer.start();
  const [client, other] = [await server.client(), await server.client()];
  for (const each of [client, other]) await each.sync(createMessage({ context: { id: "c" } }));
  const columns = `type, "tabId", "extensionId", "capturedAt", "privacyLevel", "writtenAt", "contentFormat", url, title, "tabMetadata", metadata, content`;
  await server.rows(
    `INSERT INTO contexts ("userId", "contextId", seq, ${columns})
     SELECT "userId", 'c' || n, 1 + n, ${columns} FROM contexts, generate_series(1, 2500) n WHERE "userId" = ?`,
    client.userId,
  );
  await client.batch(Array.from({ length: 100 }, () => createMessage()));
  await server.access.deleteUser(client.userId);
  for (const table of ["contexts", "search_terms", "search_vectors"])
    expect(await server.rows(`SELECT DISTINCT "userId" FROM ${table}`)).toEqual([{ userId: other.userId }]);
  expect(await server.rows(`SELECT "userId" FROM users`)).toEqual([{ userId: other.userId }]);
});

it("shuts the user out first, so that a deletion that fails half-way leaves nobody who works on what is left", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  await client.sync(createMessage());
  // No trigger: tables that are spread over machines have none.
  await server.rows(`CREATE TABLE holds ("userId" TEXT COLLATE "C", "contextId" TEXT COLLATE "C")`);
  if (citusWorkers > 0) await server.rows("SELECT create_distributed_table('holds', 'userId', colocate_with => 'users')");
  await server.rows(
    `ALTER TABLE holds ADD CONSTRAINT held FOREIGN KEY ("userId", "contextId") REFERENCES contexts ("userId", "contextId")`,
  );
  await server.rows(`INSERT INTO holds SELECT "userId", "contextId" FROM contexts`);
  await expect(server.access.deleteUser(client.userId)).rejects.toThrow("Foreign key constraint violated");
  expect((await client.get("/context/current")).status).toBe(401);
  await using other = await TestServer.start({ databaseUrl: server.config.databaseUrl });
  expect((await client.at(() => other.baseUrl).sync(createMessage())).status).toBe(401);
  await server.rows("DROP TABLE holds");
  await server.access.deleteUser(client.userId);
  expect(
    await server.rows(`SELECT "userId" FROM users UNION ALL SELECT "userId" FROM contexts UNION ALL SELECT "userId" FROM key_uses`),
  ).toEqual([]);
  await expect(server.access.deleteUser(client.userId)).rejects.toMatchObject({ code: "not_found" });
});
