import { type AnySchema, type EndpointMeta, takesBody } from "../trpc/endpoint.js";
import { responsesOf } from "./openapi-responses.js";
import type { DocumentedSchemas } from "./openapi-schemas.js";
import type { JsonSchema, Operation, Parameter } from "./openapi-types.js";

/** Budgets as they are named to clients, with the requests a minute that hold unless the operator set others. */
export const budgets: Readonly<Record<EndpointMeta["budget"], { name: string; perMinute: number }>> = {
  sync: { name: "sync", perMinute: 600 },
  batchSync: { name: "batch-sync", perMinute: 120 },
  read: { name: "read", perMinute: 600 },
  search: { name: "search", perMinute: 120 },
  delete: { name: "delete", perMinute: 120 },
};

/** The OpenAPI operation of an endpoint, from its meta and the schema of its input. */
export function operationOf(meta: EndpointMeta, input: AnySchema, schemas: DocumentedSchemas): Operation {
  const { operationId, summary, tags, path } = meta.openapi;
  return {
    operationId,
    summary,
    description: descriptionOf(meta),
    tags: [...tags],
    // Since OpenAPI 3.1 a scheme that is not OAuth may name what it requires, too; alternatives are entries of their own.
    security: meta.needsEveryScope ? [{ bearerAuth: [...meta.scopes] }] : meta.scopes.map((scope) => ({ bearerAuth: [scope] })),
    ...(takesBody(meta)
      ? { requestBody: requestBodyOf(meta.body ?? input, schemas) }
      : { parameters: parametersOf(path, schemas.parameters(input)) }),
    responses: responsesOf(meta, schemas),
  };
}

function descriptionOf({ openapi, scopes, needsEveryScope, budget, refusesBoundKeys }: EndpointMeta): string {
  const { name, perMinute } = budgets[budget];
  const listed = scopes.map((wanted) => `\`${wanted}\``);
  const scope = needsEveryScope
    ? `Scopes: ${listed.join(" and ")}.`
    : `Scope: ${listed.join(" or ")}${scopes.length > 1 ? ", as the message needs" : ""}.`;
  const bound = refusesBoundKeys ? " A key that is bound to a privacy level is refused (`forbidden`)." : "";
  return `${openapi.description}\n\n${scope}${bound} Rate budget: \`${name}\`, by default ${perMinute} requests a minute.`;
}

function requestBodyOf(body: AnySchema, schemas: DocumentedSchemas): NonNullable<Operation["requestBody"]> {
  return {
    description:
      "JSON in UTF-8, at most 16 MiB once decoded; may be sent with `Content-Encoding: gzip`, `br` or `deflate`. Unknown fields are ignored.",
    required: true,
    content: { "application/json": { schema: schemas.ref(body), examples: schemas.examples(body) } },
  };
}

function parametersOf(path: string, { properties = {}, required = [] }: JsonSchema): Parameter[] {
  return Object.entries(properties).map(([name, { description = "", examples, ...schema }]): Parameter => {
    const inPath = path.includes(`{${name}}`);
    const [example] = examples ?? [];
    return {
      name,
      in: inPath ? "path" : "query",
      description,
      required: inPath || (required.includes(name) && schema.default === undefined),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}
