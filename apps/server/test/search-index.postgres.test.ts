import { expect, it } from "vitest";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { checkPostgresIndex } from "./postgres-index.js";
import { TestServer } from "./test-server.js";

it("keeps the search index in step with contexts through every kind of change", async () => {
  await using server = await TestServer.start();
  const [client, other] = [await server.client(), await server.client()];
  const page = (id: string, timestamp: string, content = "Lamps of the coast") => createMessage({ timestamp, context: { id, content } });
  for (const each of [client, other])
    await each.batch(Array.from({ length: 20 }, (_, index) => page(`c${index}`, "2026-01-31T12:00:00Z", `Lamp ${index}, İstanbul 灯台`)));
  const at = (minute: number) => `2026-01-31T13:${String(minute).padStart(2, "0")}:00Z`;
  const messages = [
    { ...updateMessage("c1", { content: "Changed", title: "Anew" }), timestamp: at(1) },
    { ...updateMessage("c1", { privacyLevel: "filtered" }), timestamp: at(2) },
    page("c2", at(3), "Written anew"),
    { ...deleteMessage("c3"), timestamp: at(4) },
    { ...deleteMessage("c4"), timestamp: at(4) },
    page("c4", at(5), "Alive again"),
    { id: "h", type: "heartbeat", timestamp: at(6), payload: { type: "heartbeat", contextId: "c5" } },
  ];
  for (const message of messages) expect((await client.sync(message)).status).toBe(201);
  // All of it in one transaction, too.
  expect((await other.batch(messages)).body.failed).toBe(0);
  await client.delete("/context/c6");
  await checkPostgresIndex(server);
  expect(await server.rows(`SELECT count(*)::int AS count FROM search_terms`)).toEqual([{ count: 37 }]);
  const total = async (query: string) => (await client.get(`/context/search?query=${query}`)).body.total;
  expect([await total("changed"), await total("lamp"), await total("alive"), await total("anew")]).toEqual([1, 15, 1, 2]);

  await server.rows(`UPDATE search_terms SET terms = terms || 'lump' WHERE seq = 8`);
  await expect(checkPostgresIndex(server)).rejects.toThrow("other words");
});
