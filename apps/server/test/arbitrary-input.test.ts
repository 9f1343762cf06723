import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BatchResult, HistoryPage } from "@periscope/schemas";
import { expectError, expectListed, problemsOf } from "./answer-checks.js";
import { anyJson, anyQuery, anySegment, edgeValues, nearlyValidBody, validBodies, validMessages } from "./arbitrary-requests.js";
import { isDeep, runs } from "./deep.js";
import { placesIn, withPlace } from "./json-places.js";
import { rawRequest } from "./raw-request.js";
import { routes, routeTable, sampleOf, sendSample } from "./sample-requests.js";
import type { TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
afterAll(() => server[Symbol.asyncDispose]());

const taking = routes.filter(({ hasBody }) => hasBody).map((route) => ({ name: route.name, route }));
const asking = routes.filter(({ hasBody }) => !hasBody).map((route) => ({ name: route.name, route }));

/** Everything that was stored can be read again through every GET route. */
async function expectReadable(client: TestClient): Promise<void> {
  const ids: string[] = [];
  let cursor = "";
  do {
    const { status, body } = await client.get(`/context/history?limit=200${cursor}`);
    expect([status, problemsOf(HistoryPage, body)]).toEqual([200, undefined]);
    ids.push(...body.contexts.map((item: { contextId: string }) => item.contextId));
    cursor = body.nextCursor === undefined ? "" : `&cursor=${body.nextCursor}`;
  } while (cursor !== "");
  for (const id of ids) expect([id, (await client.get(`/context/${id}`)).status]).toEqual([id, 200]);
  expect((await client.get("/context/current")).status).toBe(ids.length > 0 ? 200 : 404);
  expect((await client.get("/context/search?urlPattern=*&limit=1000")).status).toBe(200);
}

describe.each(taking)("any JSON at $name", ({ route }) => {
  it.each([
    ["of any shape", anyJson],
    ["of a message with some fields replaced", nearlyValidBody],
  ])("%s gets a documented answer and leaves everything readable", async (_shape, bodies) => {
    const client = await server.client();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await sendSample(client, route, { body });
        expectListed(answer, route);
        const again = await sendSample(client, route, { body });
        expectListed(again, route);
        if (answer.status !== 201) return;
        expect(again.body).toEqual({ ...answer.body, duplicate: true });
      }),
      runs(30),
    );
    await expectReadable(client);
    await server.restart();
    await expectReadable(client);
  });
});

it("survives edge values in every place of a message", async () => {
  const client = await server.client();
  const places = [...validMessages("").keys()].flatMap((m) => placesIn(validMessages("")[m]).map((path) => ({ m, path })));
  const variants = edgeValues
    .flatMap((value, v) =>
      places.map(({ m, path }, p) => {
        // Contexts of its own, so that no later message writes over what this one leaves behind.
        const [first, ...rest] = validMessages(`${v}-${p}`, [`${v}-${p}-a`, `${v}-${p}-b`]);
        return m === 0 ? [withPlace(first, path, value)] : [first, withPlace(rest[m - 1], path, value)];
      }),
    )
    // Every value and every place, but not each of one with each of the other.
    .filter((_, index) => isDeep || index % 17 === 0)
    .flat();
  let stored = 0;
  for (let start = 0; start < variants.length; start += 100) {
    const { status, body } = await client.batch(variants.slice(start, start + 100));
    expect([status, problemsOf(BatchResult, body)]).toEqual([207, undefined]);
    stored += body.synced;
  }
  expect(stored).toBeGreaterThan(100);
  expect(stored).toBeLessThan(variants.length);
  await expectReadable(client);
});

it("answers deep nesting without a server error", async () => {
  const client = await server.client();
  const mark = "nesting-goes-here";
  const depth = 10_000;
  const nestings = ["[".repeat(depth) + "]".repeat(depth), '{"a":'.repeat(depth) + "1" + "}".repeat(depth)];
  for (const { route } of taking)
    for (const [index, body] of validBodies("deep").entries())
      for (const path of placesIn(body).filter((steps) => steps.length < 4))
        for (const nesting of index > 7 || (index > 0 && !isDeep) ? [] : nestings) {
          const text = JSON.stringify(withPlace(body, path, mark)).replace(`"${mark}"`, nesting);
          const { path: at } = sampleOf(route, "context");
          const answer = await client.send(route.meta.openapi.method, at, { body: text, headers: { "Content-Type": "application/json" } });
          expect(answer.status).toBeLessThan(500);
          expectListed(answer, route);
        }
  await expectReadable(client);
});

describe.each(asking)("any parameters at $name", ({ route }) => {
  it("get a documented answer", async () => {
    const client = await server.client();
    expect((await client.sync(validBodies("stored").at(-2))).status).toBe(207);
    const headers = { Authorization: `Bearer ${client.key}` };
    const { method, path: template } = route.meta.openapi;
    await fc.assert(
      fc.asyncProperty(anySegment, anyQuery, async (segment, query) => {
        const path = template.replace(/\{\w+\}/, () => segment);
        const answer = await rawRequest(server.baseUrl, { method, path: `/api/v1${path}?${query}`, headers });
        const reached = routeTable.match(path)?.byMethod.get(method);
        if (reached) expectListed(answer, reached);
        else expectError(answer, answer.status === 405 ? "method_not_allowed" : "not_found");
      }),
      runs(40),
    );
  });
});
