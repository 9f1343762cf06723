import { ConflictError, Periscope } from "@periscope/client";
import { expect } from "vitest";
import { fillDays as fill, idsOf } from "./day-contexts.js";
import { withSharedServer as it } from "./test-server.js";

const exportedIds = async (periscope: Periscope): Promise<string[]> => {
  const ids: string[] = [];
  for await (const item of periscope.data.export()) if (item.kind === "context") ids.push(item.contextId);
  return ids;
};

it("exports, imports, deletes, keeps and erases through the client", async ({ server, client }) => {
  const other = await server.client();
  const [mine, theirs] = [client, other].map(({ key }) => new Periscope({ baseUrl: server.baseUrl, apiKey: key })) as [
    Periscope,
    Periscope,
  ];
  await fill(client);
  const file = (await client.get("/data/export")).body as string;
  expect(await theirs.data.import(new TextEncoder().encode(file))).toMatchObject({ created: 30, failed: 0 });
  expect((await exportedIds(theirs)).toSorted()).toEqual((await idsOf(client)).toSorted());

  const where = { site: "news.example" };
  const { matches, confirm } = await theirs.data.previewDelete(where);
  expect(matches).toBe(10);
  const refused = await theirs.data.deleteWhere(where, "1").catch((error: unknown) => error);
  expect(ConflictError.is(refused)).toBe(true);
  expect(await theirs.data.deleteWhere(where, confirm)).toEqual({ deleted: 10 });

  const rules = [{ keepDays: 365 }];
  expect(await mine.data.setRetention(rules)).toMatchObject({ rules });
  expect(await mine.data.retention()).toMatchObject({ rules, maxDays: null });
  const receipt = await theirs.data.erase(other.userId);
  expect(receipt).toMatchObject({ counts: { contexts: 20 }, verified: { found: 0 } });
  expect(await idsOf(client)).toHaveLength(30);
});

it("goes on with an export whose connection broke off", async ({ server, client }) => {
  await fill(client, 300);
  let cuts = 0;
  /** Ends each of the first answers in the middle. */
  const breaking: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (++cuts > 2 || !response.body) return response;
    const text = await response.text();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2)));
      },
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
  const periscope = new Periscope({ baseUrl: server.baseUrl, apiKey: client.key, fetch: breaking });
  const ids = await exportedIds(periscope);
  expect([ids.length, new Set(ids).size, cuts]).toEqual([300, 300, 3]);
});
