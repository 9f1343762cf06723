import type { JsonSchema } from "./openapi-types.js";

type Components = Record<string, JsonSchema>;

/**
 * Writes each union of named objects that one constant field tells apart as a flat `oneOf` with a `discriminator`,
 * so that readers and generators of clients see at once which variant they have.
 */
export function discriminate(components: Components): Components {
  return Object.fromEntries(Object.entries(components).map(([id, schema]) => [id, discriminated(schema, components)]));
}

function discriminated(schema: JsonSchema, components: Components): JsonSchema {
  const refs = variantsOf(schema, components);
  const propertyName = refs && tellingField(refs, components);
  if (!refs || propertyName === undefined) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, examples, ...rest } = schema;
  const mapping = Object.fromEntries(refs.map((ref) => [String(constantOf(ref, propertyName, components)), ref]));
  return { ...rest, oneOf: refs.map(($ref) => ({ $ref })), discriminator: { propertyName, mapping }, ...(examples && { examples }) };
}

/** The named variants of a union, those of unions inside it included; undefined when it is none, or one has no name. */
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

/** The field that is required in every variant and has another constant in each. */
function tellingField(refs: readonly string[], components: Components): string | undefined {
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
