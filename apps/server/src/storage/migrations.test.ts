import { expect, it } from "vitest";
import { schemaModels } from "../../test/prisma-models.js";
import { contextColumns } from "./context-columns.js";
import { shippedMigrations } from "./migrations.js";

it.each(["sqlite", "postgres"] as const)("gives every migration a stamp of its own: %s", (engine) => {
  const names = shippedMigrations(engine).map(({ name }) => name);
  expect(names.filter((name) => !/^\d{14}_[a-z_]+$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.slice(0, 14))).size).toBe(names.length);
});

it.each(["sqlite", "postgres"] as const)("lists the columns of a context as the Prisma schema has them: %s", (engine) => {
  const contexts = schemaModels(engine).find(({ table }) => table === "contexts");
  const types = { text: "String", json: "String", time: "DateTime" };
  const listed = contextColumns.map((column) => [column.name, types[column.kind] + ("isNullable" in column ? "?" : "")]);
  expect(Object.entries(contexts?.types ?? {})).toEqual([["seq", "BigInt"], ...listed]);
});
