import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Peer } from "./peer.ts";

const run = promisify(execFile);
const filesPerFolder = 1_000;

/** Recoll: pages as text files, its indexer, and a search that starts a program. Undefined when it is not installed. */
export async function openRecoll(directory: string, signal: AbortSignal): Promise<Peer | undefined> {
  const [pages, config] = [join(directory, "pages"), join(directory, "config")];
  for (const folder of [pages, config]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(config, "recoll.conf"), `topdirs = ${pages}\nloglevel = 1\n`);
  const options = { env: { HOME: directory, LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" }, signal, maxBuffer: 2 ** 26 };
  // It knows no option for its version alone: it prints it below its usage, and fails.
  const answer = await run("recollindex", ["--version"], options).catch((error: unknown) => error as Error & { code?: string });
  signal.throwIfAborted();
  if ("code" in answer && answer.code === "ENOENT") return undefined;
  let written = 0;
  return {
    name: `Recoll ${/Recoll (\d[\d.]*)/.exec(JSON.stringify(answer))?.[1] ?? "of unknown version"}`,
    async add(documents) {
      for (const { title, url, content } of documents) {
        const folder = join(pages, String(Math.floor(written / filesPerFolder)));
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${written}.txt`), `${title}\n${url}\n\n${content}`);
        written += 1;
      }
      const started = performance.now();
      await run("recollindex", ["-c", config], options);
      return (performance.now() - started) / 1_000;
    },
    async search(text) {
      await run("recollq", ["-c", config, "-n", "20", "-A", text], options);
    },
    bytes: () =>
      readdirSync(join(config, "xapiandb"), { recursive: true, encoding: "utf8" }).reduce(
        (sum, name) => sum + statSync(join(config, "xapiandb", name)).size,
        0,
      ),
    async [Symbol.asyncDispose]() {},
  };
}
