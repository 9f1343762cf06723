import { describeApi, securityDescription, summary, tagDescriptions } from "./info.js";
import { headers, responsesOf, sharedResponses } from "./responses.js";
import { type DocumentedSchemas, documentSchemas } from "./schemas.js";
import { type AnySchema, type EndpointMeta, takesBody } from "../src/trpc/endpoint.js";
import type { JsonSchema, Method, OpenApiDocument, Operation, Parameter } from "./types.js";

export interface OpenApiOptions {
  /** Address of the interface with its version prefix, or the prefix alone. */
  baseUrl: string;
  /** Version of the server. */
  version: string;
  /** Rate budgets by the name that endpoints use: the name for clients, and the default number of requests a minute. */
  budgets: Readonly<Record<string, Budget>>;
}

interface Budget {
  name: string;
  perMinute: number;
}

/** A tRPC router whose procedures have an {@link EndpointMeta} as meta. */
interface DocumentedRouter {
  _def: { procedures: object };
}

/** Generates the OpenAPI 3.1 document of a router: paths, schemas, statuses, headers and examples. */
export function buildOpenApiDocument(router: DocumentedRouter, { baseUrl, version, budgets }: OpenApiOptions): OpenApiDocument {
  const schemas = documentSchemas();
  const paths = pathsOf(router, schemas, budgets);
  const defaults = Object.values(budgets).map(({ name, perMinute }) => `\`${name}\` ${perMinute}`);
  return {
    openapi: "3.1.1",
    info: {
      title: "Periscope",
      summary,
      description: describeApi(defaults.join(", ")),
      version,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: baseUrl, description: "This installation" }],
    tags: tagsOf(paths),
    security: [{ bearerAuth: [] }],
    paths,
    components: {
      securitySchemes: { bearerAuth: { type: "http", scheme: "bearer", description: securityDescription } },
      headers: { ...headers },
      responses: sharedResponses(schemas, referencesIn(paths)),
      schemas: schemas.components,
    },
  };
}

type Procedures = Record<string, { _def: { meta?: EndpointMeta; inputs: readonly AnySchema[] } }>;

function pathsOf(router: DocumentedRouter, schemas: DocumentedSchemas, budgets: OpenApiOptions["budgets"]): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, { _def: procedure }] of Object.entries(router._def.procedures as Procedures)) {
    const [input] = procedure.inputs;
    if (!procedure.meta || !input)
      throw new Error(`the procedure ${name} lacks its meta or its input; make it with endpoint() and input()`);
    const { path, method } = procedure.meta.openapi;
    paths[path] = { ...paths[path], [method.toLowerCase() as Method]: operationOf(procedure.meta, input, schemas, budgets) };
  }
  return paths;
}

function tagsOf(paths: OpenApiDocument["paths"]): OpenApiDocument["tags"] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  return [...used].map((name) => {
    const text = tagDescriptions[name];
    if (text === undefined) throw new Error(`the tag ${name} has no description; write one in info.ts`);
    return { name, description: text };
  });
}

/** Every `$ref` anywhere in `value`. */
function referencesIn(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return new Set([...own, ...Object.values(value).flatMap((item) => [...referencesIn(item)])]);
}

/** The OpenAPI operation of an endpoint, from its meta and the schema of its input. */
function operationOf(meta: EndpointMeta, input: AnySchema, schemas: DocumentedSchemas, budgets: OpenApiOptions["budgets"]): Operation {
  const { operationId, summary, tags, path } = meta.openapi;
  return {
    operationId,
    summary,
    description: descriptionOf(meta, budgets[meta.budget]),
    tags: [...tags],
    // Since OpenAPI 3.1, schemes other than OAuth may name scopes too. Alternatives are entries of their own.
    security:
      meta.needsEveryScope || meta.scopes.length === 0
        ? [{ bearerAuth: [...meta.scopes] }]
        : meta.scopes.map((scope) => ({ bearerAuth: [scope] })),
    ...(!takesBody(meta) || meta.bodyType !== undefined ? { parameters: parametersOf(path, schemas.parameters(input)) } : {}),
    ...(takesBody(meta) ? { requestBody: requestBodyOf(meta.body ?? input, schemas, meta.bodyType) } : {}),
    responses: responsesOf(meta, schemas),
  };
}

function descriptionOf({ openapi, scopes, needsEveryScope, refusesBoundKeys }: EndpointMeta, budget: Budget | undefined): string {
  if (!budget) throw new Error(`the rate budget of ${openapi.operationId} is not among the options`);
  const listed = scopes.map((scope) => `\`${scope}\``);
  const needed =
    scopes.length === 0
      ? "Scope: none, any valid key."
      : needsEveryScope
        ? `Scopes: ${listed.join(" and ")}.`
        : `Scope: ${listed.join(" or ")}${scopes.length > 1 ? ", depending on the message" : ""}.`;
  const bound = refusesBoundKeys ? " Keys with a maximum privacy level are refused (`forbidden`)." : "";
  return `${openapi.description}\n\n${needed}${bound} Rate budget: \`${budget.name}\`, by default ${budget.perMinute} requests a minute.`;
}

const jsonBody =
  "JSON in UTF-8, at most 16 MiB after decoding. May be sent with `Content-Encoding: gzip`, `br` or `deflate`. Unknown fields are ignored.";
const streamedBody = "One JSON object a line, in UTF-8, plain or packed by gzip. At most 4 GiB as sent, and 16 MiB a line.";

function requestBodyOf(body: AnySchema, schemas: DocumentedSchemas, type?: string): NonNullable<Operation["requestBody"]> {
  return {
    description: type === undefined ? jsonBody : streamedBody,
    required: true,
    content: { [type ?? "application/json"]: { schema: schemas.ref(body), examples: schemas.examples(body) } },
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
