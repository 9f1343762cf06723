import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { HistoryPage } from "@periscope/schemas";
import { expectError, expectListed, problemsOf } from "./answer-checks.js";
import { runs } from "./deep.js";
import { placesIn, withPlace } from "./json-places.js";
import { configMessage, createMessage, deleteMessage, errorMessage, heartbeat, updateMessage } from "./messages.js";
import { rawRequest } from "./raw-request.js";
import { routes, routeTable, sendSample } from "./sample-requests.js";
import type { TestClient } from "./test-client.js";
import { withSharedServer as it } from "./test-server.js";

const taking = routes.filter(({ hasBody }) => hasBody).map((route) => ({ name: route.name, route }));
const asking = routes.filter(({ hasBody }) => !hasBody).map((route) => ({ name: route.name, route }));

const edges = [
  ..."|5|true|\0|\ud800|__proto__|current|..|create|batch|form|html|restricted|0000-01-01T00:00:00Z|2026-02-30T00:00:00Z".split("|"),
  ..."2026-01-31T12:34:56.123456789+23:59|+275760-09-13T00:00:00Z|https://u:p@a.example/?q=%#token=1|file:///etc/hosts|http://[".split("|"),
  ..."<!--|[{|# heading\n```|a@b.example".split("|"),
  "x".repeat(129),
  ...JSON.parse('[0, -0, -1, 0.5, 1e308, 9007199254740992, null, true, [], {}, [[]], { "": "" }, {"__proto__": {"id": 1}}]'),
];
const anyJson = fc.oneof(fc.jsonValue(), fc.constantFrom(...edges), fc.string({ unit: "binary" }));

/** Valid messages and rules, all under ids of this prefix. */
const validBodies = (prefix: string): unknown[] => {
  const messages = [
    createMessage({ context: { id: "a", metadata: { words: 12 }, contentFormat: "html", content: "<p>words</p>" } }),
    createMessage({ context: { id: "b", type: "form", content: '[{"name":"q","type":"text","filled":true,"value":"w"}]' } }),
    updateMessage("a", { title: "Later", tabMetadata: { pinned: true } }),
    deleteMessage("b"),
    heartbeat("a", "2026-01-31T12:00:04Z"),
    configMessage("c", 1, { every: { seconds: 5 }, on: [true] }),
    errorMessage("E", { details: { tries: [1] } }),
  ].map((message, index) => ({ ...message, id: `${prefix}-${index}` }));
  const rules = { blockedSites: ["a.example"], siteRules: [{ site: "b.example", level: "filtered" }], denyList: ["Ada"] };
  return [
    ...messages,
    { id: "b", type: "batch", timestamp: "2026-01-31T12:00:00Z", messages },
    { id: "i", type: "batch", timestamp: "2026-01-31T12:00:00Z", payload: { messages: messages.slice(0, 2) } },
    rules,
  ];
};

/** A valid body with up to three places replaced by any JSON. */
const nearlyValid = fc
  .tuple(fc.uuid(), fc.nat(), fc.array(fc.tuple(fc.nat(), anyJson), { maxLength: 3 }))
  .map(([prefix, choice, changes]) => {
    const bodies = validBodies(prefix);
    return changes.reduce(
      (body: unknown, [index, replacement]) => {
        const places = placesIn(body);
        return withPlace(body, places[index % places.length] ?? [], replacement);
      },
      bodies[choice % bodies.length],
    );
  });

/** Everything that was stored can be read again through every GET route. */
async function expectReadable(client: TestClient): Promise<void> {
  const { status, body } = await client.get("/context/history?limit=200");
  expect([status, problemsOf(HistoryPage, body)]).toEqual([200, undefined]);
  for (const { contextId } of body.contexts)
    expect([contextId, (await client.get(`/context/${contextId}`)).status]).toEqual([contextId, 200]);
  expect((await client.get("/context/current")).status).toBe(body.total > 0 ? 200 : 404);
  expect((await client.get("/context/search?urlPattern=*&limit=1000")).status).toBe(200);
}

it.for(taking)("$name gives any JSON a documented answer, and leaves everything readable", async ({ route }, { client }) => {
  const bodies = fc.oneof({ weight: 1, arbitrary: anyJson }, { weight: 4, arbitrary: nearlyValid });
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const [answer, again] = [await sendSample(client, route, { body }), await sendSample(client, route, { body })];
      for (const each of [answer, again]) expectListed(each, route);
      const isReplayed = answer.status === 201;
      expect(isReplayed && again.body).toEqual(isReplayed && { ...answer.body, duplicate: true });
    }),
    runs(50),
  );
  await expectReadable(client);
});

const urlText = fc.oneof(
  fc.string({ unit: "binary" }).map(encodeURIComponent),
  fc.constantFrom(
    ..."% %zz %00 %ff %F0%9F%98 + %2F.. '-- a*b * 0 1 -1 201 1e3 9007199254740993 NaN page private OR - %22 NEAR(a%20b) ^a (((".split(" "),
  ),
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString("base64url")),
);
const names =
  "limit offset cursor since until type privacyLevel query urlPattern startTime endTime maxChars contentCursor tabId __proto__ limit[] %zz";
const anyQuery = fc.array(
  fc.tuple(fc.constantFrom(...names.split(" ")), urlText).map((pair) => pair.join("=")),
  { maxLength: 5 },
);

describe.each(asking)("$name", ({ route }) => {
  it("gives any parameters a documented answer", async ({ client, server }) => {
    await client.sync(createMessage());
    const { method, path: template } = route.meta.openapi;
    await fc.assert(
      fc.asyncProperty(urlText, anyQuery, async (segment, query) => {
        const path = template.replace(/\{\w+\}/, () => segment || "x");
        const headers = { Authorization: `Bearer ${client.key}` };
        const answer = await rawRequest(server.baseUrl, { method, path: `/api/v1${path}?${query.join("&")}`, headers });
        const reached = routeTable.match(path)?.byMethod.get(method);
        if (reached) expectListed(answer, reached);
        else expectError(answer, answer.status === 405 ? "method_not_allowed" : "not_found");
      }),
      runs(40),
    );
  });
});
