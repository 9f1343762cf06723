import { reservedContextIds } from "@periscope/schemas";
import { expect } from "vitest";
import { exportOf } from "./export-text.js";
import { createMessage, deleteMessage, updateMessage } from "./messages.js";
import { routes } from "./sample-requests.js";
import { withSharedServer as it } from "./test-server.js";

it("reserves every name that a route below /context has", () => {
  const fixed = routes.map(({ meta }) => /^\/context\/([^{]+)$/.exec(meta.openapi.path)?.[1]).filter((name) => name !== undefined);
  expect(reservedContextIds).toEqual(expect.arrayContaining(fixed));
  expect(fixed).toContain("history");
});

it.for([
  ["a create", createMessage({ context: { id: "current" } })],
  ["an update", updateMessage("current", { title: "Lamps" })],
  ["a delete", deleteMessage("current")],
])("refuses a reserved id in %s", async ([, message], { client }) => {
  expect(await client.sync(message)).toMatchObject({ status: 400, body: { message: expect.stringContaining("reserved name") } });
});

const importOf = (body: string) => ["POST", "/data/import", { body, headers: { "Content-Type": "application/x-ndjson" } }] as const;

it("refuses a reserved id in an import", async ({ client }) => {
  expect((await client.send(...importOf(exportOf(["search"])))).body).toMatchObject({ created: 0, failed: 1 });
});

// A later version of the service may reserve a name that a stored context has by then.
it("answers and exports a context whose id was reserved after it was stored", async ({ server, client }) => {
  await client.batch([createMessage({ context: { id: "earlier" } }), createMessage({ context: { id: "other" } })]);
  await server.rows(`UPDATE contexts SET "contextId" = 'search' WHERE "userId" = ? AND "contextId" = 'earlier'`, client.userId);
  const listed = async (path: string, list: string) =>
    (await client.get(path)).body[list].map(({ contextId }: { contextId: string }) => contextId).toSorted();
  expect(await listed("/context/history", "contexts")).toEqual(["other", "search"]);
  expect(await listed("/context/search?query=lighthouses", "results")).toEqual(["other", "search"]);
  expect((await client.get("/data/export")).body).toContain('"contextId":"search"');
});
