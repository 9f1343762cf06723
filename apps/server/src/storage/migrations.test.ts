import { expect, it } from "vitest";
import { shippedMigrations } from "./migrations.js";

/** Migrations that began with the stamp of another before this was looked at. Databases have them under these names. */
const kept = ["20261122000000_vectors_in_rows"];

it.each(["sqlite", "postgres"] as const)("are in one order, which their stamps tell: %s", (engine) => {
  const names = shippedMigrations(engine).map(({ name }) => name);
  expect(names.filter((name) => !/^\d{14}_[a-z_]+$/.test(name))).toEqual([]);
  const stampOf = (name: string) => name.slice(0, 14);
  const repeated = names.filter((name, at) => at > 0 && stampOf(name) === stampOf(names[at - 1] ?? ""));
  expect(repeated.filter((name) => !kept.includes(name))).toEqual([]);
});
