import type { JsonSchema, MediaType, Operation } from "@periscope/openapi";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ErrorBody, statusOfError } from "@periscope/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { appRouter } from "../src/http/app-router.js";
import type { EndpointMeta } from "../src/trpc/endpoint.js";
import { document, operationsOf, resolved, responsesOf, valuesAt } from "./openapi-walk.js";

const operations = operationsOf(document);
const metas = Object.values(appRouter._def.procedures).map(
  (procedure) => (procedure as unknown as { _def: { meta: EndpointMeta } })._def.meta,
);

test("is valid OpenAPI 3.1, with one operation for each procedure", async () => {
  const { errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>);
  expect(errors ?? []).toEqual([]);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(metas.length);
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
  const inOperations = operations.flatMap(({ name, operation }) => [
    ...(operation.parameters ?? []).map((parameter) => [`${name} ${parameter.name}`, parameter.description]),
    ...responsesOf(document, operation).map(([status, { description }]) => [`${name} ${status}`, description]),
  ]);
  const headers = Object.entries(document.components.headers).map(([name, { description }]) => [name, description]);
  const all = [...fields, ...inOperations, ...headers, ...document.tags.map(({ name, description }) => [name, description])];
  expect(all.filter(([, description]) => !description)).toEqual([]);
});

const metaOf = ({ operationId }: Operation): EndpointMeta => metas.find(({ openapi }) => openapi.operationId === operationId)!;

describe.each(operations)("$name", ({ operation }) => {
  const responses = responsesOf(document, operation);

  test("has the headers and an example of each answer, and shows errors as they are sent", () => {
    const ownHeaders: Record<number, string> = { 401: "WWW-Authenticate", 405: "Allow", 429: "Retry-After", 503: "Retry-After" };
    const always = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];
    for (const [status, { headers, content = {} }] of responses) {
      const own = ownHeaders[status];
      expect([status, Object.keys(headers)]).toEqual([status, own === undefined ? always : [...always, own]]);
      const success = metaOf(operation).success.find((each) => each.status === status);
      const type = success?.type ?? "application/json";
      expect([status, Object.keys(content)]).toEqual([status, status === 204 ? [] : [type]]);
      const shown = Object.values(content[type]?.examples ?? {}).map(({ value }) => value);
      expect(shown.length > 0).toBe(status !== 204);
      for (const value of status < 400 ? [] : shown) {
        const body = ErrorBody.parse(value);
        expect(body).toEqual(value);
        expect([statusOfError[body.error], body.maxBytes !== undefined, body.requestId]).toEqual([
          status,
          status === 413,
          expect.any(String),
        ]);
      }
    }
  });

  test("names the scopes that the procedure needs", () => {
    const meta = metaOf(operation);
    // Entries are alternatives; one entry needs all of its scopes.
    const named = operation.security.map(({ bearerAuth }) => bearerAuth);
    expect(named).toEqual(meta.needsEveryScope || meta.scopes.length === 0 ? [meta.scopes] : meta.scopes.map((scope) => [scope]));
  });
});

test("has valid examples of bodies, among them one of each message type", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: "doc", ...document });
  const bodies = [...valuesAt("content", document)].map(
    ([path, content]) => [path, Object.values(content as Record<string, MediaType>)[0]] as const,
  );
  const checked = bodies.flatMap(([path, body]) =>
    Object.entries(body?.examples ?? {}).map(([name, { value }]) => ({
      path: `${path} ${name}`,
      valid: ajv.validate({ $ref: `doc${body?.schema.$ref}` }, value),
    })),
  );
  expect(checked.filter(({ valid }) => !valid)).toEqual([]);
  expect(ajv.validate({ $ref: "doc#/components/schemas/SyncMessage" }, { id: "m", type: "create" })).toBe(false);
  const sync = document.paths["/context/sync"]?.post?.requestBody?.content["application/json"]?.examples;
  expect(Object.keys(sync ?? {})).toEqual(["create", "update", "delete", "heartbeat", "config", "error", "batch"]);
});
