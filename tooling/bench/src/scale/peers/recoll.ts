import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { processMemory } from "../../measure/process-memory.ts";
import type { Peer } from "./run-peer.ts";

const run = promisify(execFile);
const filesPerFolder = 1_000;
const found = "20";
const outputBytesMax = 2 ** 26;
const memoryEveryMs = 200;

/** Recoll: pages as text files, its indexer, and a search that starts a program. Undefined when it is not installed. */
export async function openRecoll(directory: string, signal: AbortSignal): Promise<Peer | undefined> {
  const [pages, config] = [join(directory, "pages"), join(directory, "config")];
  for (const folder of [pages, config]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(config, "recoll.conf"), `topdirs = ${pages}\nloglevel = 1\n`);
  const environment = { HOME: directory, LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" };
  const options = { env: environment, signal, maxBuffer: outputBytesMax };
  const version = await versionOf(options);
  if (version === undefined) return undefined;
  let written = 0;
  return {
    version,
    async add(documents) {
      for (const { title, url, content } of documents) {
        const folder = join(pages, String(Math.floor(written / filesPerFolder)));
        if (written % filesPerFolder === 0) mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${written}.txt`), `${title}\n${url}\n\n${content}`);
        written += 1;
      }
      return index(config, options);
    },
    async search(text) {
      await run("recollq", ["-c", config, "-n", found, "-A", text], options);
    },
    bytes: () => bytesOf(join(config, "xapiandb")),
    async [Symbol.asyncDispose]() {},
  };
}

interface RunOptions {
  env: Record<string, string>;
  signal: AbortSignal;
}

async function index(config: string, options: RunOptions): Promise<{ seconds: number; memory: number | undefined }> {
  const started = performance.now();
  const child = spawn("recollindex", ["-c", config], { ...options, stdio: "ignore" });
  let memory: number | undefined;
  const timer = setInterval(() => (memory = processMemory(child.pid ?? 0)?.peak ?? memory), memoryEveryMs);
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`recollindex ended with ${code ?? "a signal"}.`);
  } finally {
    clearInterval(timer);
  }
  return { seconds: (performance.now() - started) / 1_000, memory };
}

/** The indexer knows no option that is only about its version: it tells it below its usage, and fails. */
async function versionOf(options: RunOptions): Promise<string | undefined> {
  const told = await run("recollindex", ["--version"], options).catch((error: unknown) => error);
  options.signal.throwIfAborted();
  if (told instanceof Error && "code" in told && told.code === "ENOENT") return undefined;
  return /Recoll (\d[\d.]*)/.exec(JSON.stringify(told))?.[1] ?? "of unknown version";
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
