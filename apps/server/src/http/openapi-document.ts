import { appRouter } from "./app-router.js";
import type { AnySchema, EndpointMeta } from "../trpc/endpoint.js";
import { description, securityDescription, summary, tagDescriptions } from "./openapi-info.js";
import { operationOf } from "./openapi-operation.js";
import { headers, sharedResponses } from "./openapi-responses.js";
import { documentSchemas, type DocumentedSchemas } from "./openapi-schemas.js";
import type { Method, OpenApiDocument } from "./openapi-types.js";

export interface OpenApiOptions {
  /** Address of the interface with its version prefix, or the prefix alone. */
  baseUrl: string;
  /** Version of the server. */
  version: string;
}

/** The OpenAPI 3.1 document of the service, made from the router: its paths, schemas, statuses, headers and examples. */
export function buildOpenApiDocument({ baseUrl, version }: OpenApiOptions): OpenApiDocument {
  const schemas = documentSchemas();
  const paths = pathsOf(schemas);
  return {
    openapi: "3.1.1",
    info: { title: "Periscope", summary, description, version, license: { name: "MIT", identifier: "MIT" } },
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

function pathsOf(schemas: DocumentedSchemas): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, { _def: procedure }] of Object.entries(appRouter._def.procedures as unknown as Procedures)) {
    const [input] = procedure.inputs;
    if (!procedure.meta || !input)
      throw new Error(`the procedure ${name} lacks its meta or its input; make it with endpoint() and input()`);
    const { path, method } = procedure.meta.openapi;
    paths[path] = { ...paths[path], [method.toLowerCase() as Method]: operationOf(procedure.meta, input, schemas) };
  }
  return paths;
}

function tagsOf(paths: OpenApiDocument["paths"]): OpenApiDocument["tags"] {
  const used = new Set(Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)));
  return [...used].map((name) => {
    const text = tagDescriptions[name];
    if (text === undefined) throw new Error(`the tag ${name} has no description; write one in openapi-info.ts`);
    return { name, description: text };
  });
}

/** Every `$ref` anywhere in `value`. */
function referencesIn(value: unknown): Set<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const own = "$ref" in value && typeof value.$ref === "string" ? [value.$ref] : [];
  return new Set([...own, ...Object.values(value).flatMap((item) => [...referencesIn(item)])]);
}
