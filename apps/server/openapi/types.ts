/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it: the keywords that are used here. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  examples?: unknown[];
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
}

export interface Reference {
  $ref: string;
}

export interface Example {
  summary?: string;
  value: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, Example>;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface Parameter {
  name: string;
  in: "path" | "query";
  description: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
}

export interface OpenApiResponse {
  description: string;
  headers: Record<string, Reference>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Array<Record<string, string[]>>;
  parameters?: Parameter[];
  requestBody?: { description: string; required: boolean; content: Record<string, MediaType> };
  responses: Record<string, OpenApiResponse | Reference>;
}

/** An OpenAPI 3.1 document: the parts that are used here. */
export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    summary: string;
    description: string;
    version: string;
    license: { name: string; identifier: string };
  };
  servers: Array<{ url: string; description: string }>;
  tags: Array<{ name: string; description: string }>;
  security: Array<Record<string, string[]>>;
  paths: Record<string, Partial<Record<Method, Operation>>>;
  components: {
    securitySchemes: Record<string, { type: "http"; scheme: "bearer"; description: string }>;
    headers: Record<string, Header>;
    responses: Record<string, OpenApiResponse>;
    schemas: Record<string, JsonSchema>;
  };
}

export type Method = "get" | "post" | "put" | "delete";
