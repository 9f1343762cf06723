import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** What the README shows. */
export interface Readme {
  /** Programs in TypeScript, in order. */
  ts: string[];
  /** Files by name: the manifest, and programs that begin with a comment of their name. */
  files: Map<string, string>;
  /** Commands that build the first extension, by the program that builds. */
  commands: Map<Bundler, string>;
}

export const bundlers = ["esbuild", "vite", "wxt"] as const;
export type Bundler = (typeof bundlers)[number];

/** Reads the README's programs as they stand there. */
export async function readReadme(): Promise<Readme> {
  const text = await readFile(join(import.meta.dirname, "../README.md"), "utf8");
  const blocksOf = (language: string) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, code = ""]) => code);
  const files = new Map([["manifest.json", blocksOf("json")[0] ?? ""]]);
  for (const code of [...blocksOf("ts"), ...blocksOf("js")]) {
    const name = /^\/\/ (\S+\.[jt]s)\n/.exec(code)?.[1];
    if (name !== undefined) files.set(name, code);
  }
  const shell = blocksOf("sh");
  const commands = new Map(bundlers.map((bundler) => [bundler, shell.find((code) => code.includes(`${bundler} `)) ?? ""] as const));
  return { ts: blocksOf("ts"), files, commands };
}
