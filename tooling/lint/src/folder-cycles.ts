import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

/** An arrow from one folder to another, with the files whose imports make it. */
interface Arrow {
  from: string;
  to: string;
  /** Such as `privacy/rules.service.ts -> contexts/timestamps.ts`. */
  imports: string[];
}

const importPattern = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

/**
 * Cycles between the folders directly below `source`: each as the arrows that close it, in order, with the imports that draw them.
 * Types count, for who needs another's types cannot be understood without it. Tests do not; nor do files beside the folders, which put
 * the parts together.
 */
export function folderCycles(source: string): Arrow[][] {
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
  return [...arrows.keys()].toSorted().flatMap((folder) => {
    const cycle = shortestCycle(folder, arrows);
    // Each is found from every folder in it, and told once.
    return cycle && cycle.every(({ from }) => folder <= from) ? [cycle] : [];
  });
}

function shortestCycle(start: string, arrows: ReadonlyMap<string, ReadonlyMap<string, Arrow>>): Arrow[] | undefined {
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

/** A cycle as it is told to whoever made it. */
export function describeCycle(cycle: readonly Arrow[]): string {
  const way = [...cycle.map(({ from }) => from), cycle[0]?.from].join(" -> ");
  return `The folders ${way} import each other; move what the lower one needs down, or what needs both up:\n${cycle
    .flatMap(({ imports }) => imports.map((each) => `  ${each}`))
    .join("\n")}`;
}
