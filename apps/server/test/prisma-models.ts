import { readFileSync } from "node:fs";

/** A table, as far as a migration and `schema.prisma` must say the same. */
export interface Model {
  table: string;
  /** Column to whether it may be null. */
  columns: Map<string, boolean>;
  /** Columns of each index and key, in order. */
  keys: string[];
}

const scalars = new Set(["String", "DateTime", "BigInt", "Int", "Boolean"]);

/** The models of an engine's `schema.prisma`, by table; and the columns of each with their types. */
export function schemaModels(engine: "sqlite" | "postgres"): Array<Model & { types: Record<string, string> }> {
  const schema = readFileSync(new URL(`../prisma/${engine}/schema.prisma`, import.meta.url), "utf8");
  return [...schema.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)]
    .map(([, , body = ""]) => {
      const columns = new Map<string, boolean>();
      const types: Record<string, string> = {};
      const keys: string[] = [];
      for (const [, name = "", type = "", optional = "", rest = ""] of body.matchAll(/^ {2}(\w+)\s+(\w+)(\?)?(.*)$/gm)) {
        if (!scalars.has(type)) throw new Error(`the test does not know the type ${type}`);
        columns.set(name, optional === "?");
        types[name] = type + optional;
        if (rest.includes("@id")) keys.push(name);
      }
      for (const [, list = ""] of body.matchAll(/@@(?:id|unique|index)\(\[(.*)\]\)/g)) keys.push(list.replaceAll(/\(sort: Desc\)| /g, ""));
      return { table: /@@map\("(\w+)"\)/.exec(body)?.[1] ?? "", columns, types, keys: keys.sort() };
    })
    .toSorted((a, b) => (a.table < b.table ? -1 : 1));
}
