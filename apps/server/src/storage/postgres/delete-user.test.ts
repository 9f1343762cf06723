import { expect, it } from "vitest";
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
