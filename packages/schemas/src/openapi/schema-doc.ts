import type * as z from "zod/mini";

/** JSON Schema keywords that a zod refinement cannot show: safe bounds, said beside the description. */
export interface SchemaKeywords {
  readonly format?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
}

/** An example value. Those of request and answer bodies have a name and a summary, for a reader to choose by. */
export interface SchemaExample<T = unknown> {
  readonly name?: string;
  readonly summary?: string;
  readonly value: T;
}

/** What a field means; as an object where there is more to say, `fields` when its type is an object without a name of its own. */
export type FieldDoc<T = unknown> = string | FieldDocObject<T>;

export interface FieldDocObject<T = unknown> {
  readonly description: string;
  readonly examples?: readonly Frozen<T>[];
  readonly keywords?: SchemaKeywords;
  readonly fields?: FieldDocs<NonNullable<T>>;
  /** A named schema that says more than the field's own, which lets anything through to be answered `not_found`. */
  readonly documentedAs?: z.core.$ZodType;
}

/** A text for every field of `T`: a missing or misspelt one does not compile. */
export type FieldDocs<T> = { readonly [K in keyof T]-?: FieldDoc<T[K]> };

/** The texts of one schema of the contract, for the OpenAPI document. */
export interface SchemaDoc {
  readonly schema: z.core.$ZodType;
  /** Name among the document's components, unique. */
  readonly id: string;
  readonly description: string;
  /** Valid by the schema; at least one. */
  readonly examples: readonly SchemaExample[];
  readonly keywords?: SchemaKeywords;
  /** Of an object: a text per field. */
  readonly fields?: Readonly<Record<string, FieldDoc>>;
  /** Of an enumeration: a text per value. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The texts of the path and query parameters of one operation. */
export interface ParameterDocs {
  readonly schema: z.core.$ZodType;
  readonly fields: Readonly<Record<string, FieldDoc>>;
}

type Texts<S extends z.core.$ZodType> = {
  readonly id: string;
  readonly description: string;
  readonly examples:
    | readonly [Frozen<z.input<S>>, ...Frozen<z.input<S>>[]]
    | Readonly<Record<string, { readonly summary: string; readonly value: Frozen<z.input<S>> }>>;
  readonly keywords?: SchemaKeywords;
} & (S extends OfType<"object"> ? { readonly fields: FieldDocs<z.output<S>> } : unknown) &
  (S extends OfType<"enum"> ? { readonly values: Readonly<Record<z.output<S> & string, string>> } : unknown);

type OfType<T extends string> = { _zod: { def: { type: T } } };

/** So that examples can be constants. */
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/**
 * Gives a schema its texts. They stand apart from the schemas because those go into browser bundles, which need no texts.
 * @param schema an object needs a text per field, an enumeration one per value
 */
export function describe<S extends z.core.$ZodType>(schema: S, texts: Texts<S>): SchemaDoc {
  const { examples, ...rest } = texts as Texts<z.core.$ZodType>;
  return {
    schema,
    ...rest,
    examples: Array.isArray(examples)
      ? examples.map((value: unknown) => ({ value }))
      : Object.entries(examples).map(([name, example]) => ({ name, ...(example as SchemaExample) })),
  };
}

/** Gives each parameter of an operation its text and, through `examples`, a value to show. */
export function describeParameters<S extends z.ZodMiniObject>(schema: S, fields: FieldDocs<z.output<S>>): ParameterDocs {
  return { schema, fields };
}
