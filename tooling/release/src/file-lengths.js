import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "./run-command.ts";
const linesMax = 400;
const handWritten = /\.(?:ts|tsx|js|mjs|cjs|css|html|sh|sql|prisma)$|^\.ci\/run$/;
const generated = /(?:^|\/)(?:dist|generated|fixtures)\//;
/** Names every hand-written source file of the repository that is longer than 400 lines; nothing when there is none. */
export async function findLongFiles(root) {
  const listing = await runCommand(["git", "ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  if (listing.status !== 0) return listing.output;
  const long = [];
  for (const path of listing.output.split("\n").filter((line) => handWritten.test(line) && !generated.test(line))) {
    const lines = await countLines(join(root, path));
    if (lines > linesMax) long.push(`${path}: ${lines} lines, at most ${linesMax}`);
  }
  return long.length === 0 ? undefined : long.join("\n");
}
async function countLines(path) {
  try {
    return (await readFile(path, "utf8")).trimEnd().split("\n").length;
  } catch (error) {
    // Listed by git, removed in the working tree.
    if (error.code === "ENOENT") return 0;
    throw error;
  }
}
