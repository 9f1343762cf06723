import { expect, it, vi } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "../../test/messages.js";
import type { TestClient } from "../../test/test-client.js";
import { TestServer } from "../../test/test-server.js";
import { contextGroups, countedMin } from "./context-groups.js";

interface Group {
  type: string;
  privacyLevel: string;
  /** PostgreSQL's driver gives large numbers as text. */
  contexts: number | string;
}

const kept = (server: TestServer) => server.rows<Group>("SELECT * FROM context_counts");
const totalOf = async (client: TestClient, filter = "") => {
  const { body } = await client.get(`/context/history?limit=1${filter}`);
  return (body as { total: number }).total;
};

/** Makes a user look as large as one whose contexts are counted for good, and lets them be. */
async function count(server: TestServer, client: TestClient): Promise<void> {
  const isPostgres = server.config.databaseUrl.startsWith("postgres");
  const by = isPostgres
    ? `UPDATE contexts SET seq = seq + ${countedMin} WHERE "userId" = ?`
    : `UPDATE search_owners SET contexts = contexts + ${countedMin} WHERE userId = ?`;
  await server.rows(by, client.userId);
  await totalOf(client);
  await vi.waitFor(async () => expect(await kept(server)).toHaveLength(contextGroups.length), 60_000);
  if (!isPostgres) await server.rows(`UPDATE search_owners SET contexts = contexts - ${countedMin} WHERE userId = ?`, client.userId);
}

/** Totals by every filter, as they should be. */
async function checkTotals(server: TestServer, client: TestClient): Promise<void> {
  const rows = await server.rows<Group>(`SELECT type, "privacyLevel" FROM contexts WHERE "userId" = ?`, client.userId);
  const counts = (await kept(server)).map(({ type, privacyLevel, contexts }) => [`${type} ${privacyLevel}`, Number(contexts)] as const);
  const expected = contextGroups.map((group) => {
    const same = rows.filter(({ type, privacyLevel }) => type === group.type && privacyLevel === group.privacyLevel);
    return [`${group.type} ${group.privacyLevel}`, same.length] as const;
  });
  expect(new Map(counts)).toEqual(new Map(expected));
  expect(await totalOf(client)).toBe(rows.length);
  expect(await totalOf(client, "&type=form")).toBe(rows.filter(({ type }) => type === "form").length);
  expect(await totalOf(client, "&privacyLevel=public&type=page")).toBe(
    rows.filter(({ type, privacyLevel }) => type === "page" && privacyLevel === "public").length,
  );
}

it("keeps the counts of a large user through whatever is written, by several at once, and answers by them", async () => {
  await using server = await TestServer.start();
  const client = await server.client();
  const create = (id: string, fields: object = {}) => createMessage({ context: { id, ...fields } });
  await client.batch([create("a"), create("b", { privacyLevel: "public" }), create("c", { type: "selection" })]);
  expect(await totalOf(client)).toBe(3);
  expect(await kept(server)).toEqual([]);
  await count(server, client);
  await checkTotals(server, client);

  await client.batch([
    create("d", { privacyLevel: "public" }),
    updateMessage("a", { type: "element" }),
    updateMessage("b", { privacyLevel: "restricted" }),
    deleteMessage("c"),
    deleteMessage("nothing"),
    create("e"),
    deleteMessage("e", { timestamp: "2026-01-31T12:00:09.000Z" }),
  ]);
  await checkTotals(server, client);
  await client.batch([createMessage({ timestamp: "2026-01-31T12:01:00.000Z", context: { id: "c", privacyLevel: "public" } })]);
  await client.delete("/context/d");
  await checkTotals(server, client);

  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; turn < 5; turn++)
      await client.batch([
        create(`shared-${turn}`, { privacyLevel: writer % 2 === 0 ? "public" : "private" }),
        create(`own-${writer}-${turn}`),
        ...(turn > 0 ? [deleteMessage(`own-${writer}-${turn - 1}`)] : []),
      ]);
  });
  await Promise.all(writers);
  await checkTotals(server, client);

  const bounded = await server.client({ userId: client.userId, maxPrivacyLevel: "public" });
  const levels = await server.rows<Group>(`SELECT "privacyLevel" FROM contexts WHERE "userId" = ?`, client.userId);
  expect(await totalOf(bounded)).toBe(levels.filter(({ privacyLevel }) => privacyLevel === "public").length);
  // Answered by the counts, and not counted again; but for a time there are none.
  const total = await totalOf(client);
  await server.rows(`UPDATE context_counts SET contexts = contexts + 7 WHERE type = 'page' AND "privacyLevel" = 'private'`);
  expect(await totalOf(client)).toBe(total + 7);
  expect(await totalOf(client, "&since=2000-01-01T00:00:00Z")).toBe(total);
  // Without those of a type that is new, they count for nothing.
  await server.rows("DELETE FROM context_counts WHERE type = 'custom'");
  expect(await totalOf(client)).toBe(total);

  await server.access.deleteUser(client.userId);
  expect(await kept(server)).toEqual([]);
});
