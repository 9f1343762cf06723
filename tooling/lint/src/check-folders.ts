import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

// Part of `pnpm lint`: no folders of the server import each other, in a circle of any length. Type imports count too. Tests do not; nor do
// files beside the folders, which put the parts together.

const source = fileURLToPath(new URL("../../../apps/server/src", import.meta.url));
const importPattern = /\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;

const files = globSync("*/**/*.ts", { cwd: source, exclude: ["**/*.test.ts"] }).map((path) => path.replaceAll("\\", "/"));
let arrows = files.flatMap((file) =>
  [...readFileSync(join(source, file), "utf8").matchAll(importPattern)].flatMap(([, path = ""]) => {
    const imported = posix.join(posix.dirname(file), path);
    const [from = "", to = ""] = [file, imported].map((each) => each.split("/")[0]);
    return to === from || to === ".." || !imported.includes("/")
      ? []
      : { from, to, text: `${file} -> ${imported.replace(/\.js$/, ".ts")}` };
  }),
);
// What leads to a folder that imports none, or comes from one that none imports, is in no circle.
for (let count = -1; count !== arrows.length;) {
  count = arrows.length;
  const [starts, ends] = [new Set(arrows.map(({ from }) => from)), new Set(arrows.map(({ to }) => to))];
  arrows = arrows.filter(({ from, to }) => starts.has(to) && ends.has(from));
}
if (arrows.length > 0) {
  console.error(
    "These imports are in a circle of folders, or between two circles; move what the lower one needs down, or what needs both up:",
  );
  for (const text of arrows.map((arrow) => arrow.text).toSorted()) console.error(`  ${text}`);
  process.exitCode = 1;
}
