import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the README shows. */
export interface Readme {
  /** Programs in TypeScript, in order. */
  ts: string[];
  /** Programs in JavaScript. */
  js: string[];
  manifest: Record<string, unknown>;
}

/** Reads the README's programs as they stand there. */
export async function readReadme(): Promise<Readme> {
  const text = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const blocksOf = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
  const [manifest = "{}"] = blocksOf("json");
  return { ts: blocksOf("ts"), js: blocksOf("js"), manifest: JSON.parse(manifest) as Readme["manifest"] };
}
