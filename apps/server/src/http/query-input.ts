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
/** A time whose offset lost its plus: in a query it means a space. */
const plusLost = /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/;

/**
 * A query string as the input of a procedure. Whole numbers are read here, so that the shared schemas need not coerce.
 * Throws `bad_request` for a parameter given twice, a number that is not whole, and a time whose `+` was not escaped.
 */
export function queryInput(search: string, numbers: ReadonlySet<string>): Record<string, unknown> {
  const input: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  if (search === "") return input;
  for (const [key, value] of new URLSearchParams(search)) {
    if (key in input) throw badParameter(key, "is given more than once; send it once");
    if (plusLost.test(value)) throw badParameter(key, "holds a space where a + was meant; write + as %2B, or give the time with Z");
    input[key] = numbers.has(key) ? readNumber(key, value) : value;
  }
  return input;
}

function readNumber(key: string, value: string): number {
  if (!wholeNumber.test(value)) throw badParameter(key, "must be a whole number");
  return Number(value);
}

/** A parameter of the path, decoded. Throws `bad_request` when it is not valid percent-encoding. */
export function decodePathParameter(name: string, encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw badParameter(name, "is not valid percent-encoding of UTF-8");
  }
}
