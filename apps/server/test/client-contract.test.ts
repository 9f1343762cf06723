import { type NewMessage, NotFoundError, Periscope } from "@periscope/client";
import { expect } from "vitest";
import { contextFields } from "./messages.js";
import type { TestClient } from "./test-client.js";
import { withSharedServer as it } from "./test-server.js";

// What an agent's developer relies on, through @periscope/client alone. How it retries and pages is tested in packages/client.

type Context = Extract<NewMessage, { type: "create" }>["payload"]["context"];
const create = (id: string, fields: Partial<Context> = {}): NewMessage => ({
  type: "create",
  timestamp: "2026-01-31T12:00:01Z",
  payload: { context: contextFields({ id, content: "The keeper lights the lamp.", ...fields }) as unknown as Context },
});
const periscopeOf = ({ key }: TestClient, baseUrl: string) => new Periscope({ baseUrl, apiKey: key });

it("syncs, reads, updates, searches and deletes a context", async ({ client, server }) => {
  const periscope = periscopeOf(client, server.baseUrl);
  expect(await periscope.current()).toBeNull();
  const receipt = await periscope.sync(create("page-1", { content: "Ask jo@example.org about the lamp.", privacyLevel: "filtered" }));
  expect(receipt).toMatchObject({ status: "success", contextId: "page-1", privacyLevel: "filtered", redactions: { email: 1 } });
  const { data: context, rateLimit, requestId, attempts, response } = await periscope.current().withResponse();
  expect(context).toMatchObject({ contextId: "page-1", title: "Lighthouses", content: "Ask [REDACTED:email] about the lamp." });
  expect([attempts, response.status, typeof requestId, rateLimit?.resetAt instanceof Date]).toEqual([1, 200, "string", true]);
  expect(await periscope.get("page-1")).toEqual(context);

  await periscope.sync({ type: "update", payload: { context: { id: "page-1", title: "Lamps" } }, timestamp: "2026-01-31T12:00:02Z" });
  await periscope.sync({ type: "heartbeat", payload: { contextId: "page-1" } });
  const history = await periscope.history({ type: "page", until: new Date("2026-02-01") });
  expect(history).toMatchObject({ items: [{ title: "Lamps" }], total: 1 });
  const found = { items: [{ contextId: "page-1", title: "Lamps" }], total: 1, totalIsExact: true };
  expect(await periscope.search("lamp")).toMatchObject(found);
  expect(await periscope.search({ urlPattern: "articles.example" })).toMatchObject({ items: [{ relevance: 1 }], query: "" });
  for (const deleted of [true, false]) expect(await periscope.delete("page-1")).toEqual({ deleted });
  const failure: unknown = await Promise.resolve(periscope.get("page-1")).catch((error: unknown) => error);
  expect(NotFoundError.is(failure)).toBe(true);
});

it.for<[what: string, call: (periscope: Periscope) => PromiseLike<unknown>, expected: object, left: string[]]>([
  ["sync", (periscope) => periscope.sync(create("page")), { contextId: "page", duplicate: true }, ["page", "there-sync"]],
  ["syncAll", (periscope) => periscope.syncAll([create("page")]), { synced: 0, duplicates: 1, failed: 0 }, ["page", "there-syncAll"]],
  ["delete", (periscope) => periscope.delete("there-delete"), { deleted: true }, []],
])("takes effect once if an answer is lost: %s", async ([what, call, expected, left], { client, server }) => {
  const sure = periscopeOf(client, server.baseUrl);
  await sure.sync(create(`there-${what}`));
  let isLost = false;
  const losesFirstAnswer: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (isLost) return response;
    isLost = true;
    await response.text();
    throw new TypeError("fetch failed");
  };
  expect(await call(sure.with({ fetch: losesFirstAnswer }))).toMatchObject(expected);
  expect((await sure.history()).items.map(({ contextId }) => contextId).toSorted()).toEqual(left);
});
