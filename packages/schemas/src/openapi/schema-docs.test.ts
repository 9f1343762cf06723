import { describe as suite, expect, test } from "vitest";
import * as z from "zod/mini";
import * as contract from "../index.js";
import { describe } from "./schema-doc.js";
import { parameterDocs, schemaDocs, type FieldDoc } from "./index.js";

const isSchema = (value: unknown): value is z.core.$ZodType => typeof value === "object" && value !== null && "_zod" in value;

const contractSchemas = Object.entries<unknown>(contract).flatMap(([name, value]) => (isSchema(value) ? [[name, value] as const] : []));

/** Batches whose messages are checked one by one are how the server reads a `BatchEnvelope` and a `BatchMessage`; clients never see them. */
const internal = new Set<string>(["UncheckedBatch", "UncheckedBatchMessage"]);

test("every schema of the contract has texts, under its own name", () => {
  const named = new Map(schemaDocs.map((doc) => [doc.schema, doc.id]));
  const queries = new Set(parameterDocs.map((doc) => doc.schema));
  const wanted = contractSchemas.filter(([name, schema]) => !internal.has(name) && !queries.has(schema));
  expect(wanted.map(([, schema]) => named.get(schema))).toEqual(wanted.map(([name]) => name));
});

test("ids are unique", () => {
  expect(new Set(schemaDocs.map((doc) => doc.id)).size).toBe(schemaDocs.length);
});

suite.each(schemaDocs)("$id", ({ id, schema, description, examples, fields }) => {
  test("describes itself in a sentence and has an example", () => {
    expect(description).toMatch(/^[A-Z"`].*\.$/s);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(examples)("example %# is valid and has no field that the schema does not know", ({ value }) => {
    // Parsing drops unknown fields, so a misspelt optional one shows.
    expect(z.parse(schema, value)).toEqual(value);
  });

  test("examples of fields are valid", () => {
    expect(fields ? invalidExamples(schema, fields, id) : []).toEqual([]);
  });
});

test("examples of parameters are valid", () => {
  expect(parameterDocs.flatMap(({ schema, fields }) => invalidExamples(schema, fields, "parameter"))).toEqual([]);
});

test("a missing, misspelt or superfluous text does not compile", () => {
  const Point = z.object({ x: z.number(), label: z.optional(z.string()) });
  const Side = z.enum(["left", "right"]);
  const about = { id: "Point", description: "A point.", examples: [{ x: 1 }] } as const;
  // @ts-expect-error the text of `label` is missing
  describe(Point, { ...about, fields: { x: "Abscissa." } });
  // @ts-expect-error `lable` is no field
  describe(Point, { ...about, fields: { x: "Abscissa.", label: "Name.", lable: "Name." } });
  // @ts-expect-error an object needs the texts of its fields
  describe(Point, about);
  // @ts-expect-error the text of `right` is missing
  describe(Side, { id: "Side", description: "A side.", examples: ["left"], values: { left: "left" } });
  // @ts-expect-error the example is of another type
  describe(Point, { ...about, examples: [{ x: "1" }], fields: { x: "Abscissa.", label: "Name." } });
  expect(describe(Point, { ...about, fields: { x: "Abscissa.", label: "Name." } }).examples).toEqual([{ value: { x: 1 } }]);
});

/** Paths of the field examples that the field's own schema refuses. */
function invalidExamples(schema: z.core.$ZodType, fields: Readonly<Record<string, FieldDoc>>, path: string): string[] {
  if (!(schema instanceof z.ZodMiniObject)) throw new Error(`${path} has texts of fields and is no object`);
  return Object.entries(fields).flatMap(([name, doc]) => {
    const field: z.core.$ZodType | undefined = schema.shape[name];
    if (!field) throw new Error(`${path} has no field ${name}`);
    const examples = typeof doc === "string" ? [] : (doc.examples ?? []);
    return examples.filter((example) => !z.safeParse(field, example).success).map(() => `${path}.${name}`);
  });
}
