import * as contract from "@periscope/schemas";
import { schemaDocs } from "@periscope/schemas/openapi";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { placesIn, withPlace } from "./json-places.js";

const isSchema = (value: unknown): value is z.ZodMiniType => typeof value === "object" && value !== null && "_zod" in value;

/** Every schema that the package exports, whoever uses it: server, SDK and extension share the very objects. */
const schemas = Object.entries<unknown>(contract).flatMap(([name, schema]) => (isSchema(schema) ? [{ name, schema }] : []));

/** Values that a coercing schema would accept as another type. */
const traps: readonly unknown[] = [
  "5",
  "0",
  "true",
  "false",
  "",
  "2026-01-31",
  5,
  0,
  1,
  1769862896000,
  true,
  false,
  null,
  [],
  ["5"],
  [5],
  {},
  "{}",
];

/** Inputs of a schema: its documented examples and its parameters, each with every place replaced by every trap. */
function inputsOf(schema: z.ZodMiniType): unknown[] {
  const examples = schemaDocs.find((doc) => doc.schema === schema)?.examples.map(({ value }) => value) ?? [];
  const shape = "shape" in schema ? Object.keys(schema.shape as object) : [];
  const bases = [...examples.slice(0, 3), Object.fromEntries(shape.map((key) => [key, "5"]))];
  return [
    ...bases.flatMap((base) => placesIn(base).flatMap((path) => traps.map((trap) => withPlace(base, path, trap)))),
    ...shape.flatMap((key) => traps.map((trap) => ({ [key]: trap }))),
    ...traps,
  ];
}

/** Whether what came out stood in the input as it is, but for fields that have a default and those that were dropped. */
function isPartOf(output: unknown, input: unknown): boolean {
  if (typeof output !== "object" || output === null || typeof input !== "object" || input === null) return Object.is(output, input);
  const given = new Map(Object.entries(input));
  return Object.entries(output).every(([key, value]) => !given.has(key) || given.get(key) === undefined || isPartOf(value, given.get(key)));
}

/** What each schema says to each of its inputs: refused, or taken as what. */
function verdicts(): Map<string, string[]> {
  return new Map(
    schemas.map(({ name, schema }) => [
      name,
      inputsOf(schema).map((input) => {
        const { success, data } = z.safeParse(schema, input);
        return success ? `taken as ${JSON.stringify(data)}` : "refused";
      }),
    ]),
  );
}

describe("the schemas that server and clients share", () => {
  it.each(schemas)("$name coerces no value of another type", ({ schema }) => {
    const results = inputsOf(schema).map((input) => ({ input, ...z.safeParse(schema, input) }));
    expect(results.filter(({ success }) => !success)).not.toEqual([]);
    expect(results.filter(({ success, input, data }) => success && !isPartOf(data, input))).toEqual([]);
  });

  it("are not changed by calling every operation", async () => {
    const before = verdicts();
    // Imported only now, so that effects of building the router show too.
    const { TestServer } = await import("./test-server.js");
    const { inputFields, routes, sendSample, sampleOf } = await import("./sample-requests.js");
    const { createMessage } = await import("./messages.js");
    await using server = await TestServer.start();
    const client = await server.client();
    await client.sync(createMessage({ context: { id: "context" } }));
    for (const route of routes) {
      const { method } = route.meta.openapi;
      const { path, body } = sampleOf(route, "context");
      const bare = path.split("?")[0] ?? path;
      const texts = JSON.parse(JSON.stringify(body ?? {}, (_key, value) => (typeof value === "object" ? value : String(value))));
      if (route.hasBody) {
        for (const wrong of [texts, { n: "5" }, [], "5"]) await sendSample(client, route, { body: wrong });
      } else
        for (const field of inputFields(route))
          for (const value of ["5", "true", ""]) await client.send(method === "DELETE" ? "GET" : method, `${bare}?${field}=${value}`);
      expect((await sendSample(client, route)).status).toBeLessThan(300);
    }
    const after = verdicts();
    expect([...after.keys()]).toEqual([...before.keys()]);
    for (const [name, said] of after) expect({ name, said }).toEqual({ name, said: before.get(name) });
  });

  it("are all covered by this test", () => {
    expect(schemas.length).toBeGreaterThan(40);
    expect([...verdicts().values()].flat().filter((verdict) => verdict === "refused").length).toBeGreaterThan(5000);
  });
});
