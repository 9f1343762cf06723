import type { Example, Header, Method, Operation } from "@periscope/openapi";
import { type Context, limits } from "@periscope/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { document, resolved, responsesOf } from "./openapi-walk.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "doc", ...document });

function operationAt(path: string, method: Method): Operation {
  const operation = document.paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

/** How an answer differs from the document. */
function deviations(operation: Operation, { status, headers, body }: Answer): string[] {
  const response = new Map(responsesOf(document, operation)).get(status);
  if (!response) return [`status ${status} is not documented`];
  const wrongHeaders = Object.entries(response.headers).filter(([name, header]) => {
    const { schema } = resolved<object>(document, header) as Header;
    const text = headers.get(name);
    return text === null || !ajv.validate(schema, schema.type === "integer" ? Number(text) : text);
  });
  const media = response.content?.["application/json"];
  const bodyIsRight = media ? ajv.validate({ $ref: `doc${media.schema.$ref}` }, body) : body === undefined;
  return [
    ...wrongHeaders.map(([name]) => `header ${name}: ${headers.get(name)}`),
    ...(bodyIsRight ? [] : [`body: ${media ? ajv.errorsText() : JSON.stringify(body)}`]),
  ];
}

const bodyExamples = (operation: Operation): Record<string, Example> => operation.requestBody?.content["application/json"]?.examples ?? {};

const sync = operationAt("/context/sync", "post");
const batchSync = operationAt("/context/batch-sync", "post");
const get = operationAt("/context/{contextId}", "get");
const remove = operationAt("/context/{contextId}", "delete");
const current = operationAt("/context/current", "get");
const history = operationAt("/context/history", "get");
const search = operationAt("/context/search", "get");
const rules = operationAt("/privacy/rules", "get");
const replaceRules = operationAt("/privacy/rules", "put");

const create = bodyExamples(sync)["create"]?.value as { payload: { context: { id: string } } };
const contextId = create.payload.context.id;

/** The context that the example message makes, as the document shows it. */
const shownContext = new Map(responsesOf(document, get)).get(200)?.content?.["application/json"]?.examples?.["example"]?.value as Context;

/** A client of the user whom the examples of answers name. */
const exampleUser = (): Promise<TestClient> => server.client({ userId: shownContext.userId });

let server: TestServer;
beforeAll(async () => void (server = await TestServer.start()));
beforeEach(() => server.access.deleteUser(shownContext.userId).catch(() => {}));
afterAll(() => server[Symbol.asyncDispose]());

test("the example messages have the documented outcomes", async () => {
  const client = await exampleUser();
  for (const [name, { value }] of Object.entries(bodyExamples(sync))) {
    const answer = await client.sync(value);
    expect([name, answer.status]).toEqual([name, name === "batch" ? 207 : 201]);
    expect(deviations(sync, answer)).toEqual([]);
  }
  const batch = await client.post("/context/batch-sync", bodyExamples(batchSync)["batch"]?.value);
  expect(deviations(batchSync, batch)).toEqual([]);
  const documented = Object.values(responsesOf(document, batchSync)[0]?.[1].content?.["application/json"]?.examples ?? {})[0]?.value;
  expect(batch.body.results[1].error).toEqual((documented as typeof batch.body).results[1].error);
});

test("reading and deleting answer as documented, with the example values", async () => {
  const client = await exampleUser();
  await client.sync(create);

  const answers: Array<[Operation, Answer]> = [
    [current, await client.get("/context/current")],
    [get, await client.get(`/context/${contextId}`)],
    [history, await client.get("/context/history?limit=1")],
    [search, await client.get("/context/search?query=rollback%20journal")],
    [remove, await client.delete(`/context/${contextId}`)],
  ];
  expect(answers.map(([operation, answer]) => [operation.operationId, answer.status])).toEqual([
    ["getCurrentContext", 200],
    ["getContext", 200],
    ["listContextHistory", 200],
    ["searchContexts", 200],
    ["deleteContext", 204],
  ]);
  expect(answers.flatMap(([operation, answer]) => deviations(operation, answer))).toEqual([]);
  expect(answers[1]?.[1].body).toEqual(shownContext);
});

test("privacy rules answer as documented, with the example values", async () => {
  server.clock.now = Date.parse("2026-01-31T12:34:57.301Z");
  const client = await exampleUser();
  const none = await client.get("/privacy/rules");
  const replaced = await client.put("/privacy/rules", bodyExamples(replaceRules)["rules"]?.value);
  const kept = await client.get("/privacy/rules");
  server.clock.now = undefined;
  expect([none.status, replaced.status, kept.status]).toEqual([200, 200, 200]);
  expect([...deviations(rules, none), ...deviations(replaceRules, replaced), ...deviations(rules, kept)]).toEqual([]);
  const shown = new Map(responsesOf(document, rules)).get(200)?.content?.["application/json"]?.examples;
  expect([none.body, replaced.body, kept.body]).toEqual([shown?.["none"]?.value, shown?.["rules"]?.value, shown?.["rules"]?.value]);
});

/** Requests that fail, with the operation and the status that they fail with. */
const failures: Array<[string, Operation, number, (client: TestClient) => Promise<Answer>]> = [
  ["a wrong parameter", history, 400, (client) => client.get("/context/history?limit=201")],
  [
    "a body without tabMetadata",
    sync,
    400,
    (client) => client.sync({ ...create, payload: { context: { type: "page", tabId: "1", capturedAt: "2026-01-01T00:00:00Z" } } }),
  ],
  ["no key", current, 401, (client) => client.send("GET", "/context/current", { headers: { Authorization: undefined as never } })],
  ["a key without the scope", remove, 403, async () => (await server.client({ scopes: ["read"] })).delete(`/context/${contextId}`)],
  ["a key with a maximum privacy level", replaceRules, 403, async () => (await server.client({ maxPrivacyLevel: "private" })).putRules({})],
  [
    "another user's context",
    remove,
    403,
    async (client) => {
      await client.sync(create);
      return (await server.client()).delete(`/context/${contextId}`);
    },
  ],
  ["an unknown context", get, 404, (client) => client.get(`/context/${contextId}`)],
  ["another method", history, 405, (client) => client.send("PUT", "/context/history")],
  ["a body past the limit", sync, 413, (client) => client.sync(" ".repeat(limits.bodyBytesMax))],
  [
    "a body that is not JSON",
    sync,
    415,
    (client) => client.send("POST", "/context/sync", { body: "hello", headers: { "Content-Type": "text/plain" } }),
  ],
  [
    "a private window",
    sync,
    403,
    (client) => {
      const { context } = create.payload as { context: { tabMetadata?: object } };
      return client.sync({ ...create, payload: { context: { ...context, tabMetadata: { ...context.tabMetadata, incognito: true } } } });
    },
  ],
  [
    "a message id used before",
    sync,
    400,
    async (client) => {
      await client.sync(create);
      return client.sync({ ...create, timestamp: "2026-01-31T13:00:00Z" });
    },
  ],
];

describe("errors are answered as documented, with the example messages", () => {
  test.each(failures)("%s", async (_, ...[operation, status, fail]) => {
    const answer = await fail(await exampleUser());
    expect(answer.status).toBe(status);
    expect(deviations(operation, answer)).toEqual([]);

    const { examples = {} } = new Map(responsesOf(document, operation)).get(status)?.content?.["application/json"] ?? {};
    const shown = Object.values(examples).map(({ value }) => ({ ...(value as object), requestId: answer.body.requestId }));
    expect(shown).toContainEqual(answer.body);
  });
});
