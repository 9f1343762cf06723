import { buildOpenApiDocument } from "../openapi/document.js";
import type {
  Example,
  Header,
  JsonSchema,
  MediaType,
  Method,
  OpenApiDocument,
  OpenApiResponse,
  Operation,
  Reference,
} from "../openapi/types.js";
import { type Context, ErrorBody, limits, statusOfError } from "@periscope/schemas";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import openApi from "../openapi.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import { readConfig } from "../src/config/config.js";
import { appRouter } from "../src/http/app-router.js";
import { budgetName } from "../src/rates/rate-limiter.js";
import type { EndpointMeta } from "../src/trpc/endpoint.js";
import type { Answer, TestClient } from "./test-client.js";
import { TestServer } from "./test-server.js";

/** The committed document. */
const document = openApi as unknown as OpenApiDocument;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema({ $id: "doc", ...document });

const { anonymous: _anonymous, ...perMinute } = readConfig({}).rateLimits;
const budgets = Object.fromEntries(Object.entries(perMinute).map(([key, limit]) => [key, { name: budgetName(key), perMinute: limit }]));

/** After a change of the router: `pnpm --filter @periscope/server openapi`. It writes the file by running this test with `--update`. */
test("openapi.json matches the router", async () => {
  const built = buildOpenApiDocument(appRouter, { baseUrl: "/api/v1", version: manifest.version, budgets });
  await expect(`${JSON.stringify(built, null, 2)}\n`).toMatchFileSnapshot("../openapi.json");
});

/** What a reference points at, or the thing itself. Throws for a reference that points at nothing. */
function resolved<T extends object>(target: T | Reference): T {
  if (!("$ref" in target) || typeof target.$ref !== "string") return target as T;
  let found: unknown = document;
  for (const step of target.$ref.replace(/^#\//, "").split("/")) found = (found as Record<string, unknown> | undefined)?.[step];
  if (found === undefined) throw new Error(`${target.$ref} points at nothing`);
  return found as T;
}

/** The answers of an operation as [status, answer], references resolved. */
const responsesOf = (operation: Operation): Array<[number, OpenApiResponse]> =>
  Object.entries(operation.responses).map(([status, response]) => [Number(status), resolved(response)]);

/** Every value in `value` under the key `key`, however deep, with its path. */
function* valuesAt(key: string, value: unknown, path = "#"): Generator<[string, unknown]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    if (name === key) yield [path, item];
    yield* valuesAt(key, item, `${path}/${name}`);
  }
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
);
const metas = Object.values(appRouter._def.procedures).map(
  (procedure) => (procedure as unknown as { _def: { meta: EndpointMeta } })._def.meta,
);

describe("the document", () => {
  test("is valid OpenAPI 3.1, with one operation for each procedure", async () => {
    const { errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>);
    expect(errors ?? []).toEqual([]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(metas.length);
  });

  test("resolves every reference, and uses every component but three", () => {
    const refs = [...valuesAt("$ref", document)].map(([, ref]) => ref as string);
    for (const $ref of refs) resolved<object>({ $ref });
    const named = Object.entries(document.components).flatMap(([kind, byName]) =>
      Object.keys(byName).map((name) => `#/components/${kind}/${name}`),
    );
    const unused = named.filter((name) => !name.includes("/securitySchemes/") && !refs.includes(name));
    expect(unused).toEqual(["MessageType", "SyncAnswer", "ClientFrame"].map((name) => `#/components/schemas/${name}`));
  });

  test("describes every field, parameter, answer, header and tag", () => {
    const described = [
      ...[...valuesAt("properties", document.components.schemas)].flatMap(([path, properties]) =>
        Object.entries(properties as Record<string, JsonSchema>).map(([name, { description }]) => [`${path}/${name}`, description]),
      ),
      ...operations.flatMap(({ name, operation }) => [
        ...(operation.parameters ?? []).map((parameter) => [`${name} ${parameter.name}`, parameter.description]),
        ...responsesOf(operation).map(([status, { description }]) => [`${name} ${status}`, description]),
      ]),
      ...Object.entries(document.components.headers).map(([name, { description }]) => [name, description]),
      ...document.tags.map(({ name, description }) => [name, description]),
    ];
    expect(described.filter(([, description]) => !description)).toEqual([]);
  });

  test("has valid examples of bodies, among them one of each message type", () => {
    const examples = [...valuesAt("content", document)].flatMap(([path, content]) => {
      const [body] = Object.values(content as Record<string, MediaType>);
      return Object.entries(body?.examples ?? {}).map(
        ([name, { value }]) => [`${path} ${name}`, `doc${body?.schema.$ref}`, value] as const,
      );
    });
    expect(examples.filter(([, $ref, value]) => !ajv.validate({ $ref }, value)).map(([path]) => path)).toEqual([]);
    expect(ajv.validate({ $ref: "doc#/components/schemas/SyncMessage" }, { id: "m", type: "create" })).toBe(false);
    const ofSync = Object.keys(requestExamples(operationAt("/context/sync", "post")));
    expect(ofSync).toEqual(["create", "update", "delete", "heartbeat", "config", "error", "batch"]);
  });

  test.each(operations)("has headers, examples and scopes of $name as they are", ({ operation }) => {
    const meta = metas.find(({ openapi }) => openapi.operationId === operation.operationId)!;
    const { scopes, needsEveryScope, success } = meta;
    const ownHeaders: Record<number, string> = {
      401: "WWW-Authenticate",
      405: "Allow",
      426: "Upgrade",
      429: "Retry-After",
      503: "Retry-After",
    };
    const always = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];
    for (const [status, { headers, content = {} }] of responsesOf(operation)) {
      expect([status, Object.keys(headers)]).toEqual([status, [...always, ownHeaders[status]].filter((name) => name !== undefined)]);
      const type = success.find((each) => each.status === status)?.type ?? "application/json";
      const isBare = status === 204 || status === 101;
      expect([status, Object.keys(content)]).toEqual([status, isBare ? [] : [type]]);
      const shown = Object.values(content[type]?.examples ?? {}).map(({ value }) => value);
      expect(shown.length > 0).toBe(!isBare);
      for (const value of status < 400 ? [] : shown) {
        const body = ErrorBody.parse(value);
        expect(body).toEqual({ ...(value as object), requestId: expect.any(String) });
        expect([statusOfError[body.error], body.maxBytes !== undefined]).toEqual([status, status === 413]);
      }
    }
    // Entries are alternatives; one entry needs all of its scopes.
    const named = operation.security.map(({ bearerAuth }) => bearerAuth);
    expect(named).toEqual(needsEveryScope || scopes.length === 0 ? [scopes] : scopes.map((scope) => [scope]));
  });
});

function operationAt(path: string, method: Method): Operation {
  const operation = document.paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

const examplesIn = (content: Record<string, { examples?: Record<string, Example> }> | undefined): Record<string, Example> =>
  content?.["application/json"]?.examples ?? {};
const requestExamples = (operation: Operation) => examplesIn(operation.requestBody?.content);
const answerExamples = (operation: Operation, status: number) => examplesIn(new Map(responsesOf(operation)).get(status)?.content);

/** How an answer differs from the document. */
function deviations(operation: Operation, { status, headers, body }: Answer): string[] {
  const response = new Map(responsesOf(operation)).get(status);
  if (!response) return [`status ${status} is not documented`];
  const wrongHeaders = Object.entries(response.headers).filter(([name, header]) => {
    const { schema } = resolved<object>(header) as Header;
    const text = headers.get(name);
    return text === null || !ajv.validate(schema, schema.type === "integer" ? Number(text) : text);
  });
  const media = response.content?.["application/json"];
  const bodyIsRight = media ? ajv.validate({ $ref: `doc${media.schema.$ref}` }, body) : body === undefined;
  return [...wrongHeaders.map(([name]) => `header ${name}: ${headers.get(name)}`), ...(bodyIsRight ? [] : [`body: ${ajv.errorsText()}`])];
}

describe("the service answers as documented", () => {
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

  test("to the example messages", async () => {
    for (const [name, { value }] of Object.entries(requestExamples(sync))) {
      const answer = await client.sync(value);
      expect([name, answer.status, deviations(sync, answer)]).toEqual([name, name === "batch" ? 207 : 201, []]);
    }
    const batch = await client.post("/context/batch-sync", requestExamples(batchSync)["batch"]?.value);
    expect(deviations(batchSync, batch)).toEqual([]);
    const [documented] = Object.values(answerExamples(batchSync, 207)).map(({ value }) => value as Answer["body"]);
    expect(batch.body.results[1].error).toEqual(documented.results[1].error);
  });

  test("to reads and deletes, with the example values", async () => {
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

  test("about privacy rules, with the example values", async () => {
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
  const foreign = async () => (await client.sync(create), (await server.client()).delete(`/context/${contextId}`));
  const reused = async () => (await client.sync(create), client.sync({ ...create, timestamp: "2026-01-31T13:00:00Z" }));

  test.each<[string, Operation, number, () => Promise<Answer>]>([
    ["a wrong parameter", history, 400, () => client.get("/context/history?limit=201")],
    ["a body without tabMetadata", sync, 400, () => client.sync(changed(withoutTab))],
    ["no key", current, 401, () => client.send("GET", "/context/current", { headers: { Authorization: undefined as never } })],
    ["a key without the scope", remove, 403, async () => (await server.client({ scopes: ["read"] })).delete(`/context/${contextId}`)],
    ["a bound key", replaceRules, 403, async () => (await server.client({ maxPrivacyLevel: "private" })).putRules({})],
    ["another user's context", remove, 403, foreign],
    ["an unknown context", get, 404, () => client.get(`/context/${contextId}`)],
    ["another method", history, 405, () => client.send("PUT", "/context/history")],
    ["a body past the limit", sync, 413, () => client.sync(" ".repeat(limits.bodyBytesMax))],
    ["other than JSON", sync, 415, () => client.send("POST", "/context/sync", { body: "x", headers: { "Content-Type": "text/plain" } })],
    ["a private window", sync, 403, () => client.sync(changed({ ...withoutTab, tabMetadata: { ...tabMetadata, incognito: true } }))],
    ["a used message id", sync, 400, reused],
  ])("to %s, with the example message", async (_, operation, status, fail) => {
    const answer = await fail();
    expect([answer.status, deviations(operation, answer)]).toEqual([status, []]);
    const shown = Object.values(answerExamples(operation, status)).map(({ value }) => value as object);
    expect(shown.map((value) => ({ ...value, requestId: answer.body.requestId }))).toContainEqual(answer.body);
  });
});
