import type { Example, Header, Method, Operation } from "@periscope/openapi";
import { type Context, limits } from "@periscope/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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

const examplesIn = (content: Record<string, { examples?: Record<string, Example> }> | undefined): Record<string, Example> =>
  content?.["application/json"]?.examples ?? {};
const requestExamples = (operation: Operation) => examplesIn(operation.requestBody?.content);
const answerExamples = (operation: Operation, status: number) => examplesIn(new Map(responsesOf(document, operation)).get(status)?.content);

const sync = operationAt("/context/sync", "post");
const batchSync = operationAt("/context/batch-sync", "post");
const get = operationAt("/context/{contextId}", "get");
const remove = operationAt("/context/{contextId}", "delete");
const current = operationAt("/context/current", "get");
const history = operationAt("/context/history", "get");
const search = operationAt("/context/search", "get");
const rules = operationAt("/privacy/rules", "get");
const replaceRules = operationAt("/privacy/rules", "put");

const create = requestExamples(sync)["create"]?.value as { payload: { context: { id: string; tabMetadata: object } } };
const contextId = create.payload.context.id;
/** The context that the example message makes, as the document shows it. */
const shownContext = answerExamples(get, 200)["example"]?.value as Context;

let server: TestServer;
/** Of the user whom the examples of answers name. */
let client: TestClient;
beforeAll(async () => void (server = await TestServer.start()));
beforeEach(async () => {
  await server.access.deleteUser(shownContext.userId).catch(() => {});
  client = await server.client({ userId: shownContext.userId });
});
afterAll(() => server[Symbol.asyncDispose]());

test("the example messages have the documented outcomes", async () => {
  for (const [name, { value }] of Object.entries(requestExamples(sync))) {
    const answer = await client.sync(value);
    expect([name, answer.status, deviations(sync, answer)]).toEqual([name, name === "batch" ? 207 : 201, []]);
  }
  const batch = await client.post("/context/batch-sync", requestExamples(batchSync)["batch"]?.value);
  expect(deviations(batchSync, batch)).toEqual([]);
  const [documented] = Object.values(answerExamples(batchSync, 207)).map(({ value }) => value as Answer["body"]);
  expect(batch.body.results[1].error).toEqual(documented.results[1].error);
});

test("reading and deleting answer as documented, with the example values", async () => {
  await client.sync(create);
  const answers: Array<[Operation, number, Answer]> = [
    [current, 200, await client.get("/context/current")],
    [get, 200, await client.get(`/context/${contextId}`)],
    [history, 200, await client.get("/context/history?limit=1")],
    [search, 200, await client.get("/context/search?query=rollback%20journal")],
    [remove, 204, await client.delete(`/context/${contextId}`)],
  ];
  for (const [operation, status, answer] of answers)
    expect([operation.operationId, answer.status, deviations(operation, answer)]).toEqual([operation.operationId, status, []]);
  expect(answers[1]?.[2].body).toEqual(shownContext);
});

test("privacy rules answer as documented, with the example values", async () => {
  server.clock.now = Date.parse("2026-01-31T12:34:57.301Z");
  const none = await client.get("/privacy/rules");
  const replaced = await client.put("/privacy/rules", requestExamples(replaceRules)["rules"]?.value);
  const kept = await client.get("/privacy/rules");
  server.clock.now = undefined;
  expect([...deviations(rules, none), ...deviations(replaceRules, replaced), ...deviations(rules, kept)]).toEqual([]);
  const shown = answerExamples(rules, 200);
  expect([none.body, replaced.body, kept.body]).toEqual([shown["none"]?.value, shown["rules"]?.value, shown["rules"]?.value]);
});

const { tabMetadata, ...withoutTab } = create.payload.context;
const changed = (context: object) => ({ ...create, payload: { context } });

/** Requests that fail, with the operation and the status that they fail with. */
const failures: Array<[string, Operation, number, () => Promise<Answer>]> = [
  ["a wrong parameter", history, 400, () => client.get("/context/history?limit=201")],
  ["a body without tabMetadata", sync, 400, () => client.sync(changed(withoutTab))],
  ["no key", current, 401, () => client.send("GET", "/context/current", { headers: { Authorization: undefined as never } })],
  ["a key without the scope", remove, 403, async () => (await server.client({ scopes: ["read"] })).delete(`/context/${contextId}`)],
  ["a bound key", replaceRules, 403, async () => (await server.client({ maxPrivacyLevel: "private" })).putRules({})],
  ["another user's context", remove, 403, async () => (await client.sync(create), (await server.client()).delete(`/context/${contextId}`))],
  ["an unknown context", get, 404, () => client.get(`/context/${contextId}`)],
  ["another method", history, 405, () => client.send("PUT", "/context/history")],
  ["a body past the limit", sync, 413, () => client.sync(" ".repeat(limits.bodyBytesMax))],
  ["other than JSON", sync, 415, () => client.send("POST", "/context/sync", { body: "x", headers: { "Content-Type": "text/plain" } })],
  ["a private window", sync, 403, () => client.sync(changed({ ...withoutTab, tabMetadata: { ...tabMetadata, incognito: true } }))],
  ["a used message id", sync, 400, async () => (await client.sync(create), client.sync({ ...create, timestamp: "2026-01-31T13:00:00Z" }))],
];

test.each(failures)("answers as documented, with the example messages: %s", async (_, operation, status, fail) => {
  const answer = await fail();
  expect([answer.status, deviations(operation, answer)]).toEqual([status, []]);
  const shown = Object.values(answerExamples(operation, status)).map(({ value }) => ({
    ...(value as object),
    requestId: answer.body.requestId,
  }));
  expect(shown).toContainEqual(answer.body);
});
