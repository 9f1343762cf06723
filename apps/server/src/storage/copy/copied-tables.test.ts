import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schemaModels } from "../../../test/prisma-models.js";
import { copiedTables, hasArrivals, tablesLeftBehind } from "./copied-tables.js";

const kinds: Record<string, string> = { String: "text", DateTime: "time", Int: "number", BigInt: "place" };

describe.each(["sqlite", "postgres"] as const)("what is copied on %s", (engine) => {
  it("is every model with every column", () => {
    const wanted = schemaModels(engine).map(({ table, types }) => {
      const columns = Object.entries(types).map(([name, type]) => [name, kinds[type.replace("?", "")]]);
      return [table, Object.fromEntries(columns)];
    });
    const copied = copiedTables.map((table) => [table.name, { ...table.columns, ...(hasArrivals(table) && { seq: "place" }) }]);
    expect(Object.fromEntries(copied)).toEqual(Object.fromEntries(wanted));
  });

  it("and what stays behind is every table that migrations make", () => {
    const folder = join(import.meta.dirname, `../../../prisma/${engine}/migrations`);
    const sql = globSync(`${folder}/*/migration.sql`).map((file) => readFileSync(file, "utf8"));
    const made = new Set(sql.flatMap((text) => [...text.matchAll(/^CREATE (?:\w+ )?TABLE "(\w+)"/gm)].map(([, name = ""]) => name)));
    const known = [...copiedTables.map(({ name }) => name), ...Object.keys(tablesLeftBehind)];
    expect([...made].filter((name) => !known.includes(name))).toEqual([]);
    expect(copiedTables.filter(({ name }) => !made.has(name))).toEqual([]);
  });
});
