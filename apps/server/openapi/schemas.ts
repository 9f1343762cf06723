import { type FieldDoc, parameterDocs, type SchemaDoc, schemaDocs, type SchemaExample } from "@periscope/schemas/openapi";
import { z } from "zod";
import type { AnySchema } from "../src/trpc/endpoint.js";
import type { Example, JsonSchema } from "./types.js";

/** The contract's schemas as OpenAPI components. */
export interface DocumentedSchemas {
  /** By id, in the order of their texts. */
  components: Record<string, JsonSchema>;
  /** Reference to a schema that has texts. Throws for one that has none. */
  ref(schema: AnySchema): JsonSchema;
  /** Examples of a body, by name. */
  examples(schema: AnySchema): Record<string, Example>;
  /** An operation's parameters as one object schema, with texts. Throws for a schema that has none. */
  parameters(schema: AnySchema): JsonSchema;
}

const uri = (id: string) => `#/components/schemas/${id}`;

/** Joins the zod schemas, which say what is valid, with their texts, which say what it means. */
export function documentSchemas(): DocumentedSchemas {
  const registry = z.registry<{ id: string }>();
  for (const { schema, id } of schemaDocs) registry.add(schema, { id });
  // Not components themselves; registered so that the schemas they use become references.
  const parameterIds = new Map<unknown, string>();
  parameterDocs.forEach(({ schema }, index) => {
    const id = `parameters${index}`;
    parameterIds.set(schema, id);
    registry.add(schema, { id });
  });
  const { schemas } = z.toJSONSchema(registry, { uri, io: "input", metadata: registry });
  const generated = (id: string) => cleaned(schemas[id] as JsonSchema);
  const docOf = (schema: AnySchema): SchemaDoc => required(schemaDocs.find((doc) => doc.schema === schema));
  const ref = (schema: AnySchema): JsonSchema => ({ $ref: uri(docOf(schema).id) });

  return {
    components: discriminate(Object.fromEntries(schemaDocs.map((doc) => [doc.id, withTexts(generated(doc.id), doc, ref)]))),
    ref,
    examples: (schema) => Object.fromEntries(docOf(schema).examples.map(namedExample)),
    parameters(schema) {
      const { fields } = required(parameterDocs.find((doc) => doc.schema === schema));
      return withFields(generated(required(parameterIds.get(schema))), fields, ref);
    },
  };
}

function required<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("a schema of an endpoint has no texts; describe it in packages/schemas/src/openapi");
  return found;
}

function namedExample({ name = "example", summary, value }: SchemaExample): [string, Example] {
  return [name, { ...(summary !== undefined && { summary }), value }];
}

type Ref = DocumentedSchemas["ref"];

function withTexts(json: JsonSchema, doc: SchemaDoc, ref: Ref): JsonSchema {
  const values = Object.entries(doc.values ?? {}).map(([value, text]) => `- \`${value}\`: ${text}`);
  return {
    description: [doc.description, ...(values.length > 0 ? [values.join("\n")] : [])].join("\n\n"),
    ...(doc.fields ? withFields(json, doc.fields, ref) : json),
    ...doc.keywords,
    examples: doc.examples.map(({ value }) => value),
  };
}

function withFields(json: JsonSchema, fields: Readonly<Record<string, FieldDoc>>, ref: Ref): JsonSchema {
  const properties = Object.entries(json.properties ?? {}).map(
    ([name, property]) => [name, withField(property, fields[name], ref)] as const,
  );
  return { ...json, properties: Object.fromEntries(properties) };
}

function withField(json: JsonSchema, doc: FieldDoc | undefined, ref: Ref): JsonSchema {
  if (doc === undefined || typeof doc === "string") return { description: doc ?? "", ...json };
  const { description, examples, keywords, fields, documentedAs } = doc;
  return {
    description,
    ...(documentedAs ? ref(documentedAs) : fields ? withFields(json, fields, ref) : json),
    ...keywords,
    ...(examples && { examples: [...examples] }),
  };
}

/** Drops keywords that say nothing, or that another keyword says better. */
function cleaned(json: JsonSchema): JsonSchema {
  const entries = Object.entries(json).flatMap(([key, value]): Array<[string, unknown]> => {
    if (key === "$schema" || key === "$id" || key === "id") return [];
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return [];
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return [];
    if (key === "pattern" && json.format === "date-time") return [];
    if (key === "propertyNames" && (value as JsonSchema).type === "string" && Object.keys(value as JsonSchema).length === 1) return [];
    if (key === "properties") return [[key, mapValues(value as Record<string, JsonSchema>, cleaned)]];
    if (key === "anyOf" || key === "oneOf") return [[key, (value as JsonSchema[]).map(cleaned)]];
    if (key === "items" || key === "additionalProperties") return [[key, typeof value === "object" ? cleaned(value as JsonSchema) : value]];
    return [[key, value]];
  });
  return Object.fromEntries(entries);
}

function mapValues<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

type Components = Record<string, JsonSchema>;

/**
 * Turns each union of named objects that differ in one constant field into a flat `oneOf` with a `discriminator`, which client generators
 * understand.
 */
function discriminate(components: Components): Components {
  return Object.fromEntries(Object.entries(components).map(([id, schema]) => [id, discriminated(schema, components)]));
}

function discriminated(schema: JsonSchema, components: Components): JsonSchema {
  const refs = variantsOf(schema, components);
  const propertyName = refs && discriminatorOf(refs, components);
  if (!refs || propertyName === undefined) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, examples, ...rest } = schema;
  const mapping = Object.fromEntries(refs.map((ref) => [String(constantOf(ref, propertyName, components)), ref]));
  return { ...rest, oneOf: refs.map(($ref) => ({ $ref })), discriminator: { propertyName, mapping }, ...(examples && { examples }) };
}

/** The named variants of a union and of the unions inside it; undefined for another schema, or if a variant has no name. */
function variantsOf(schema: JsonSchema, components: Components): string[] | undefined {
  const options = schema.anyOf ?? schema.oneOf;
  if (!options) return undefined;
  const nested = options.map(({ $ref }) => {
    if ($ref === undefined) return undefined;
    const target = componentAt($ref, components);
    return target.anyOf || target.oneOf ? variantsOf(target, components) : [$ref];
  });
  return nested.every((refs) => refs !== undefined) ? nested.flat() : undefined;
}

/** The field that every variant requires and that has another constant in each. */
function discriminatorOf(refs: readonly string[], components: Components): string | undefined {
  const [first] = refs;
  const candidates = first === undefined ? [] : (componentAt(first, components).required ?? []);
  return candidates.find((field) => {
    const constants = refs.map((ref) => constantOf(ref, field, components));
    return constants.every((value) => typeof value === "string") && new Set(constants).size === refs.length;
  });
}

function constantOf(ref: string, field: string, components: Components): unknown {
  const { properties, required } = componentAt(ref, components);
  return required?.includes(field) ? properties?.[field]?.const : undefined;
}

function componentAt(ref: string, components: Components): JsonSchema {
  return components[ref.slice(ref.lastIndexOf("/") + 1)] ?? {};
}
