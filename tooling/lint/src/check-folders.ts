import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

// Part of `pnpm lint`: no folders of the server import each other, in a circle of any length. Types count, for who needs another's types
// cannot be understood without it. Tests do not; nor do files beside the folders, which put the parts together.

/** An arrow from one folder to another, with the files whose imports make it. */
interface Arrow {
  from: string;
  to: string;
  /** Such as `privacy/rules.service.ts -> contexts/timestamps.ts`. */
  imports: string[];
}

const source = fileURLToPath(new URL("../../../apps/server/src", import.meta.url));
const importPattern = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

const arrows = new Map<string, Map<string, Arrow>>();
for (const file of globSync("*/**/*.ts", { cwd: source }).map((path) => path.replaceAll("\\", "/"))) {
  if (file.endsWith(".test.ts")) continue;
  for (const [, path = ""] of readFileSync(join(source, file), "utf8").matchAll(importPattern)) {
    const imported = posix.join(posix.dirname(file), path);
    const [from = "", to = ""] = [file, imported].map((each) => each.split("/")[0]);
    if (to === from || to === ".." || !imported.includes("/")) continue;
    const ofFrom = arrows.get(from) ?? new Map<string, Arrow>();
    const arrow = ofFrom.get(to) ?? { from, to, imports: [] };
    arrow.imports.push(`${file} -> ${imported.replace(/\.js$/, ".ts")}`);
    arrows.set(from, ofFrom.set(to, arrow));
  }
}
for (const folder of [...arrows.keys()].toSorted()) {
  const cycle = shortestCycle(folder);
  // Each is found from every folder in it, and told once.
  if (cycle === undefined || cycle.some(({ from }) => from < folder)) continue;
  const way = [...cycle.map(({ from }) => from), folder].join(" -> ");
  console.error(`The folders ${way} import each other; move what the lower one needs down, or what needs both up:`);
  for (const each of cycle.flatMap(({ imports }) => imports)) console.error(`  ${each}`);
  process.exitCode = 1;
}

/** The arrows that lead from a folder back to it, in order. */
function shortestCycle(start: string): Arrow[] | undefined {
  const seen = new Set<string>();
  for (let ways: Arrow[][] = [[]]; ways.length > 0;) {
    const longer: Arrow[][] = [];
    for (const way of ways)
      for (const arrow of arrows.get(way.at(-1)?.to ?? start)?.values() ?? []) {
        if (arrow.to === start) return [...way, arrow];
        if (seen.has(arrow.to)) continue;
        seen.add(arrow.to);
        longer.push([...way, arrow]);
      }
    ways = longer;
  }
  return undefined;
}
