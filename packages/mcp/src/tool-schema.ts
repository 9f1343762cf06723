import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import type * as mini from "zod/mini";

/** A parameter of the contract with a text for models; the contract's own schema stays as it is. */
export function described<T extends mini.ZodMiniType>(schema: T, description: string): T {
  const copy = schema.clone();
  z.globalRegistry.add(copy, { description });
  return copy;
}

/**
 * An object schema as tools take it. Its JSON Schema, which every model reads with every request, leaves out patterns of what has a
 * format, such as the 300 characters that a time is checked with.
 */
export function toolSchema<T extends z.ZodObject>(schema: T): StandardSchemaWithJSON<z.input<T>, z.output<T>> {
  const json = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const standard = schema["~standard"];
  const convert = () => structuredClone(json) as Record<string, unknown>;
  return { "~standard": { ...standard, jsonSchema: { input: convert, output: convert } } };
}
