import * as z from "zod/mini";
import type { Shape } from "../src/answers/shape.js";

/** The parts of JSON Schema that the contract's answers use. */
interface JsonSchema {
  type?: string | string[];
  minLength?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
  enum?: string[];
  const?: string | number | boolean;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  minimum?: number;
  maximum?: number;
}

/** Fields whose words say how to read the rest of an answer; a word of any other field may be one of a later version. */
const discriminators: ReadonlySet<string> = new Set(["status"]);

/**
 * The shape of an answer's schema. Where the schema has a choice of words the shape has any string, but for discriminators.
 * @throws Error on a part of a schema that shapes cannot say
 */
export function shapeOf(schema: z.ZodMiniType): Shape {
  return convert(z.toJSONSchema(schema, { io: "output", unrepresentable: "throw" }) as JsonSchema);
}

function convert(schema: JsonSchema, field = ""): Shape {
  if (schema.enum) return discriminators.has(field) ? ["one", ...schema.enum] : "string";
  if (schema.const !== undefined) return ["one", schema.const];
  if (schema.anyOf) return ["either", ...schema.anyOf.map((inner) => convert(inner))];
  if (Array.isArray(schema.type)) return ["either", ...schema.type.map((type) => convert({ ...schema, type }))];
  switch (schema.type) {
    case undefined:
      return "any";
    case "null":
      return ["one", null];
    case "boolean":
      return "boolean";
    case "string":
      if (schema.format === "date-time") return "time";
      if (schema.pattern !== undefined) return ["matches", schema.pattern];
      if (schema.minLength === undefined && schema.maxLength === undefined) return "string";
      return ["matches", `^[\\s\\S]{${schema.minLength ?? 0},${schema.maxLength ?? ""}}$`];
    case "number":
    case "integer":
      return bounded(schema.type, schema);
    case "array":
      return ["list", convert(schema.items ?? {})];
    case "object":
      return schema.properties
        ? fieldsOf(schema.properties, schema.required ?? [])
        : ["record", convert(schema.additionalProperties as JsonSchema)];
    default:
      throw new Error(`No shape says what ${JSON.stringify(schema)} says.`);
  }
}

function bounded(type: "number" | "integer", { minimum, maximum }: JsonSchema): Shape {
  // The bounds of safe integers stand in every schema of an integer.
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? null : minimum;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? null : maximum;
  if (most !== null) return [type, least, most];
  return least === null ? [type] : [type, least];
}

function fieldsOf(properties: Record<string, JsonSchema>, required: readonly string[]): Shape {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [required.includes(name) ? name : `${name}?`, convert(schema, name)]),
  );
}
