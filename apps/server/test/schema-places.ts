import type * as z from "zod/mini";

type Step = string | number;

/** One way to fill a schema: a value, and each place in it where text of the sender may stand. */
export interface Filled {
  value: unknown;
  texts: Step[][];
  /** Objects whose keys are the sender's too. */
  keyed: Step[][];
}

/** Gives the text for a place, which is the names on the way to it. */
export type TextFor = (path: readonly Step[], schema: z.core.$ZodType) => string;

/**
 * Every way to fill a schema with all its fields, optional ones too: one for each choice that it leaves. Throws for a schema of a
 * kind that is not known here, so that no field is passed over.
 */
export function fillings(schema: z.core.$ZodType, textFor: TextFor, path: readonly Step[] = []): Filled[] {
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  const leaf = (value: unknown): Filled[] => [{ value, texts: [], keyed: [] }];
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- a kind that is not named here is refused, whichever it is
  switch (def.type) {
    case "string":
      return [{ value: textFor(path, schema), texts: [[]], keyed: [] }];
    case "literal":
      return leaf(def.values[0]);
    case "enum":
      return [{ value: Object.values(def.entries)[0], texts: [[]], keyed: [] }];
    case "boolean":
      return leaf(false);
    case "number":
      return leaf(1);
    case "unknown":
      return [{ value: { note: "a", list: ["b"] }, texts: [[], ["note"], ["list", 0]], keyed: [[]] }];
    case "optional":
    case "nullable":
    case "default":
      return fillings(def.innerType, textFor, path);
    case "union":
      return def.options.flatMap((option) => fillings(option, textFor, path));
    case "array":
      return fillings(def.element, textFor, [...path, 0]).map((item) => under([item.value], 0, item));
    case "record":
      return fillings(def.valueType, textFor, [...path, "note"]).map((item) => {
        const filled = under({ note: item.value }, "note", item);
        return { ...filled, keyed: [[], ...filled.keyed] };
      });
    case "object":
      return objects(def.shape, textFor, path);
    default:
      throw new Error(`test/schema-places.ts knows no schema of the kind ${def.type}; say there where it holds text`);
  }
}

const under = (value: unknown, step: Step, { texts, keyed }: Filled): Filled => ({
  value,
  texts: texts.map((rest) => [step, ...rest]),
  keyed: keyed.map((rest) => [step, ...rest]),
});

/** One object for each choice of each field, the other fields filled in the first way. */
function objects(shape: Readonly<Record<string, z.core.$ZodType>>, textFor: TextFor, path: readonly Step[]): Filled[] {
  const fields = Object.entries(shape).map(([name, field]) => ({ name, ways: fillings(field, textFor, [...path, name]) }));
  const most = Math.max(1, ...fields.map(({ ways }) => ways.length));
  return Array.from({ length: most }, (_, index) => {
    const chosen = fields.map(({ name, ways }) => ({ name, way: ways[index] ?? ways[0] }));
    const parts = chosen.flatMap(({ name, way }) => (way ? [under(way.value, name, way)] : []));
    return {
      value: Object.fromEntries(chosen.map(({ name, way }) => [name, way?.value])),
      texts: parts.flatMap(({ texts }) => texts),
      keyed: parts.flatMap(({ keyed }) => keyed),
    };
  });
}
