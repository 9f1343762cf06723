import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseChangesetFile } from "@changesets/parse";
import { publishedPackages } from "./workspace.ts";

/**
 * What is wrong with the pending changesets: one that cannot be read, names an unknown package or says nothing; and a published
 * package that stands outside the group that shares a version. Nothing when all is well.
 */
export async function findChangesetProblems(root: string): Promise<string | undefined> {
  const directory = join(root, ".changeset");
  const published = (await publishedPackages(root)).map(({ manifest }) => manifest.name);
  const problems = groupProblems(await readFile(join(directory, "config.json"), "utf8"), published);
  for (const file of (await readdir(directory)).filter((name) => name.endsWith(".md") && name !== "README.md")) {
    const found = changesetProblems(await readFile(join(directory, file), "utf8"), published);
    problems.push(...found.map((problem) => `.changeset/${file}: ${problem}`));
  }
  return problems.length === 0 ? undefined : problems.join("\n");
}

/** What is wrong with the text of one changeset. */
export function changesetProblems(text: string, published: readonly string[]): string[] {
  try {
    const { summary, releases } = parseChangesetFile(text);
    return [
      ...(summary.trim() === "" ? ["it does not say what changed"] : []),
      ...(releases.length === 0 ? ["it names no package"] : []),
      ...releases.filter(({ name }) => !published.includes(name)).map(({ name }) => `${name} is no published package`),
    ];
  } catch (error) {
    return [`it cannot be read: ${String(error)}`];
  }
}

function groupProblems(config: string, published: readonly string[]): string[] {
  const { fixed } = JSON.parse(config) as { fixed: string[][] };
  const group = fixed[0] ?? [];
  return [
    ...(fixed.length === 1 ? [] : [".changeset/config.json: `fixed` must hold one group, so that equal versions work together"]),
    ...published.filter((name) => !group.includes(name)).map((name) => `.changeset/config.json: ${name} is missing from the fixed group`),
    ...group
      .filter((name) => !published.includes(name))
      .map((name) => `.changeset/config.json: ${name} in the fixed group is not published`),
  ];
}
