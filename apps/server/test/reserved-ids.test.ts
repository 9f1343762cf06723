import { reservedContextIds } from "@periscope/schemas";
import { expect } from "vitest";
import { exportOf } from "./export-text.js";
import { deleteMessage, updateMessage } from "./messages.js";
import { routes } from "./sample-requests.js";
import { withSharedServer as it } from "./test-server.js";

it("reserves every name that a route below /context has", () => {
  const fixed = routes.map(({ meta }) => /^\/context\/([^{]+)$/.exec(meta.openapi.path)?.[1]).filter((name) => name !== undefined);
  expect(reservedContextIds).toEqual(expect.arrayContaining(fixed));
  expect(fixed).toContain("history");
});

// A later version of the service may reserve a name that a stored context has by then.
it("answers, changes, exports and deletes a context whose id was reserved after it was stored", async ({ client }) => {
  const upload = (text: string) => client.send("POST", "/data/import", { body: text, headers: { "Content-Type": "application/x-ndjson" } });
  expect((await upload(exportOf(["search", "sync"]))).body).toMatchObject({ created: 2, failed: 0 });
  const listed = async (path: string, list: string) =>
    (await client.get(path)).body[list].map(({ contextId }: { contextId: string }) => contextId).toSorted();
  expect(await listed("/context/history", "contexts")).toEqual(["search", "sync"]);
  expect(await listed("/context/search?query=lighthouses", "results")).toEqual(["search", "sync"]);
  expect((await upload((await client.get("/data/export")).body)).body).toMatchObject({ unchanged: 2, failed: 0 });
  expect((await client.sync(updateMessage("sync", { title: "Lamps" }))).body).toMatchObject({ contextId: "sync" });
  expect((await client.get("/context/current")).body).toMatchObject({ contextId: expect.stringMatching(/^s/) });
  expect((await client.sync(deleteMessage("sync"))).status).toBe(201);
  expect(await listed("/context/history", "contexts")).toEqual(["search"]);
});
