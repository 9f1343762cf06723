import { badParameter } from "../domain-error.js";
import type { AnySchema } from "../trpc/endpoint.js";

interface SchemaDef {
  type: string;
  shape?: Record<string, { _zod: { def: SchemaDef } }>;
  innerType?: { _zod: { def: SchemaDef } };
}

/** The keys of an object schema that take a number, through defaults and optionals. Only reads the schema. */
export function numberKeys(schema: AnySchema | undefined): ReadonlySet<string> {
  const def: SchemaDef | undefined = schema?._zod.def;
  const shape = def?.shape ?? {};
  return new Set(Object.keys(shape).filter((key) => innermost(shape[key]?._zod.def)?.type === "number"));
}

function innermost(def: SchemaDef | undefined): SchemaDef | undefined {
  return def?.innerType ? innermost(def.innerType._zod.def) : def;
}

const wholeNumber = /^-?\d{1,17}$/;

/**
 * A query string as the input of a procedure. Whole numbers are read here, so that the shared schemas need not coerce;
 * anything else stays text and fails the schema: a fraction too, even one that would round to a whole number. Throws `bad_request` for a parameter given twice.
 */
export function queryInput(search: string, numbers: ReadonlySet<string>): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (search === "") return input;
  for (const [key, value] of new URLSearchParams(search)) {
    if (key in input) throw badParameter(key, "is given more than once; send it once");
    input[key] = numbers.has(key) && wholeNumber.test(value) ? Number(value) : value;
  }
  return input;
}

/** A parameter of the path, decoded. Throws `bad_request` when it is not valid percent-encoding. */
export function decodePathParameter(name: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw badParameter(name, "is not valid percent-encoding of UTF-8");
  }
}
