import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import type * as mini from "zod/mini";
import { nextSteps } from "./failure.js";
import { line } from "./line.js";

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

/** Of unknown arguments so many are named, each by so many characters, since a caller can send any. */
const unknownNamesMax = 3;
const unknownNameCharsMax = 40;

type Strict<T extends z.ZodRawShape> = z.ZodObject<T, z.core.$strict>;

/**
 * The arguments of a tool. Unknown ones are refused: without a misspelt filter the answer would be wrong. All problems are told in one text,
 * which says what to do next as those of {@link reportedFailure} do.
 */
export function inputSchema<T extends z.ZodRawShape>(shape: T): StandardSchemaWithJSON<z.input<Strict<T>>, z.output<Strict<T>>> {
  const schema = z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      const unknown = issue.keys.slice(0, unknownNamesMax).map((name) => line(name, unknownNameCharsMax));
      return `there is no argument ${unknown.join(", ")}; the arguments are ${Object.keys(shape).join(", ")}`;
    },
  });
  const { "~standard": standard } = toolSchema(schema);
  const validate = (value: unknown) => {
    const { data, error } = schema.safeParse(value);
    if (error === undefined) return { value: data };
    const wrong = error.issues.map(({ path, message }) => [...path.map(String), message].join(": "));
    return { issues: [{ message: `${wrong.join("; ")}. ${nextSteps.bad_request}` }] };
  };
  return { "~standard": { ...standard, validate } };
}
