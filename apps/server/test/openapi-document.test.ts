import type { JsonSchema, MediaType } from "@periscope/openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ErrorBody, statusOfError } from "@periscope/schemas";
import { parameterDocs } from "@periscope/schemas/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { appRouter } from "../src/http/app-router.js";
import type { EndpointMeta } from "../src/trpc/endpoint.js";
import { document, operationsOf, resolved, responsesOf, valuesAt } from "./openapi-walk.js";

const operations = operationsOf(document);
const metas = Object.values(appRouter._def.procedures).map(
  (procedure) => (procedure as unknown as { _def: { meta: EndpointMeta } })._def.meta,
);

test("is valid OpenAPI 3.1", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test("has one operation for each procedure", () => {
  expect(operations).toHaveLength(metas.length);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
});

test("resolves every reference, and uses every component but two", () => {
  const refs = [...valuesAt("$ref", document)].map(([, ref]) => ref as string);
  expect(refs.map(($ref) => resolved<object>(document, { $ref }))).not.toContain(undefined);
  const named = Object.entries(document.components).flatMap(([kind, byName]) =>
    Object.keys(byName).map((name) => `#/components/${kind}/${name}`),
  );
  const unused = named.filter((name) => !name.includes("/securitySchemes/") && !refs.includes(name));
  expect(unused).toEqual(["#/components/schemas/MessageType", "#/components/schemas/SyncAnswer"]);
});

test("describes every field, parameter, answer, header and tag", () => {
  const fields = [...valuesAt("properties", document.components.schemas)].flatMap(([path, properties]) =>
    Object.entries(properties as Record<string, JsonSchema>).map(([name, { description }]) => [`${path}/${name}`, description]),
  );
  const parameters = operations.flatMap(({ name, operation }) =>
    (operation.parameters ?? []).map((p) => [`${name} ${p.name}`, p.description]),
  );
  const answers = operations.flatMap(({ name, operation }) =>
    responsesOf(document, operation).map(([status, { description }]) => [`${name} ${status}`, description]),
  );
  const rest = [...Object.entries(document.components.headers), ...document.tags.map((tag) => [tag.name, tag] as const)];
  const all = [...fields, ...parameters, ...answers, ...rest.map(([name, { description }]) => [name, description])];
  expect(all.filter(([, description]) => !description)).toEqual([]);
  expect(parameters).toHaveLength(parameterDocs.reduce((sum, docs) => sum + Object.keys(docs.fields).length, 0));
});

const statuses = {
  "GET /key": [200, 400, 401, 403, 405, 429, 500, 503],
  "GET /context/current": [200, 400, 401, 403, 404, 405, 429, 500, 503],
  "GET /context/history": [200, 400, 401, 403, 405, 429, 500, 503],
  "GET /context/search": [200, 400, 401, 403, 405, 429, 500, 503],
  "GET /context/{contextId}": [200, 400, 401, 403, 404, 405, 429, 500, 503],
  "DELETE /context/{contextId}": [204, 400, 401, 403, 404, 405, 429, 500, 503],
  "POST /context/sync": [201, 207, 400, 401, 403, 404, 405, 413, 415, 429, 500, 503],
  "POST /context/batch-sync": [207, 400, 401, 403, 405, 413, 415, 429, 500, 503],
  "GET /privacy/rules": [200, 400, 401, 403, 405, 429, 500, 503],
  "PUT /privacy/rules": [200, 400, 401, 403, 405, 413, 415, 429, 500, 503],
};

test("lists every status of every operation", () => {
  expect(Object.fromEntries(operations.map(({ name, operation }) => [name, Object.keys(operation.responses).map(Number)]))).toEqual(
    statuses,
  );
});

describe.each(operations)("$name", ({ operation }) => {
  const responses = responsesOf(document, operation);

  test("has the headers of each answer", () => {
    const ownHeaders: Record<number, string> = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After" };
    const always = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];
    for (const [status, { headers }] of responses) {
      const own = ownHeaders[status];
      expect([status, Object.keys(headers)]).toEqual([status, own === undefined ? always : [...always, own]]);
    }
  });

  test("has a body with examples for each answer but 204", () => {
    for (const [status, { content = {} }] of responses) {
      expect([status, Object.keys(content)]).toEqual([status, status === 204 ? [] : ["application/json"]]);
      expect(Object.values(content).every(({ examples }) => Object.keys(examples ?? {}).length > 0)).toBe(true);
    }
  });

  test("shows errors as they are sent", () => {
    for (const [status, { content }] of responses.filter(([code]) => code >= 400))
      for (const { value } of Object.values(content?.["application/json"]?.examples ?? {})) {
        const body = ErrorBody.parse(value);
        expect(body).toEqual(value);
        expect(statusOfError[body.error]).toBe(status);
        expect(body.maxBytes !== undefined).toBe(status === 413);
        expect(body.requestId).toBeDefined();
      }
  });

  test("names the scopes that the procedure needs", () => {
    const meta = metas.find(({ openapi }) => openapi.operationId === operation.operationId);
    // Entries are alternatives; one entry needs all of its scopes.
    const named = operation.security.map(({ bearerAuth }) => bearerAuth);
    expect(named).toEqual(meta?.needsEveryScope || meta?.scopes.length === 0 ? [meta.scopes] : meta?.scopes.map((scope) => [scope]));
  });
});

test("has valid examples, among them one of each message type", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "doc", ...document });
  const bodies = [...valuesAt("content", document)].map(
    ([path, content]) => [path, (content as Record<string, MediaType>)["application/json"]] as const,
  );
  const checked = bodies.flatMap(([path, body]) =>
    Object.entries(body?.examples ?? {}).map(([name, { value }]) => ({
      path: `${path} ${name}`,
      valid: ajv.validate({ $ref: `doc${body?.schema.$ref}` }, value),
    })),
  );
  const named = Object.entries(document.components.schemas).flatMap(([id, { examples = [] }]) =>
    examples.map((value) => ({ path: id, valid: ajv.validate({ $ref: `doc#/components/schemas/${id}` }, value) })),
  );
  expect([...checked, ...named].filter(({ valid }) => !valid)).toEqual([]);
  expect(ajv.validate({ $ref: "doc#/components/schemas/SyncMessage" }, { id: "m", type: "create" })).toBe(false);

  const sync = document.paths["/context/sync"]?.post?.requestBody?.content["application/json"]?.examples;
  expect(Object.keys(sync ?? {})).toEqual(["create", "update", "delete", "heartbeat", "config", "error", "batch"]);
});
