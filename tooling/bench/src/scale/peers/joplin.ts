import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { processMemory } from "../../measure/process-memory.ts";
import type { Peer } from "./run-peer.ts";

const run = promisify(execFile);
const found = 20;
const token = "only for a benchmark";
/** Where its web clipper service listens first, and how many ports it tries. */
const ports = { first: 41_184, count: 10 };
const startMsMax = 60_000;
const retryMs = 500;
/** Its index is brought up to date in the background. */
const indexMsMax = 600_000;

/** Joplin's terminal program with its REST service: a note a request. Undefined when it is not installed. */
export async function openJoplin(directory: string, signal: AbortSignal): Promise<Peer | undefined> {
  mkdirSync(directory, { recursive: true });
  const env = { HOME: directory, LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" };
  const profile = ["--profile", directory];
  let version: string;
  try {
    const { stdout } = await run("joplin", [...profile, "version"], { env, signal });
    version = /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? "";
  } catch {
    // Not there, or not able to run.
    signal.throwIfAborted();
    return undefined;
  }
  await run("joplin", [...profile, "config", "api.token", token], { env, signal });
  const child = spawn("joplin", [...profile, "server", "start"], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const base = await addressOf(signal);
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const url = new URL(path, base);
    url.searchParams.set("token", token);
    const response = await fetch(url, { method, body: body === undefined ? null : JSON.stringify(body), signal });
    if (!response.ok) throw new Error(`Joplin answered ${method} ${path} with ${response.status} ${(await response.text()).slice(0, 200)}`);
    return response.json();
  };
  const search = async (text: string) => {
    const query = new URLSearchParams({ query: text, limit: String(found), fields: "id,title,source_url,updated_time" });
    return (await ask("GET", `/search?${query.toString()}`)) as { items: unknown[] };
  };
  // Without a notebook there is nowhere to put a note.
  await ask("POST", "/folders", { title: "pages" });
  return {
    version,
    async add(documents) {
      const started = performance.now();
      let last = "";
      for (const { title, url, content } of documents) {
        last = new URL(url).pathname.split("/").at(-1) ?? "";
        await ask("POST", "/notes", { title: `${title} ${last}`, body: withoutMedia(content), source_url: url });
      }
      await searchable(() => search(`"${last}"`));
      return { seconds: (performance.now() - started) / 1_000, memory: processMemory(child.pid ?? 0)?.peak };
    },
    async search(text) {
      await search(text);
    },
    bytes: () =>
      readdirSync(directory).reduce(
        (sum, name) => sum + (name.startsWith("database.sqlite") ? statSync(join(directory, name)).size : 0),
        0,
      ),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** It fetches pictures that a note shows; a benchmark asks nothing of the network. */
function withoutMedia(content: string): string {
  return content.replaceAll("![", "[").replaceAll(/<(?:img|source|audio|video|embed|object|iframe|link)\b/gi, "<b");
}

/** Waits until a search finds something. */
async function searchable(search: () => Promise<{ items: unknown[] }>): Promise<void> {
  const started = performance.now();
  while ((await search()).items.length === 0) {
    if (performance.now() - started > indexMsMax)
      throw new Error(`it does not find the last page ${indexMsMax / 60_000} minutes after it took it`);
    await delay(retryMs);
  }
}

async function addressOf(signal: AbortSignal): Promise<URL> {
  for (const started = performance.now(); performance.now() - started < startMsMax; await delay(retryMs, undefined, { signal })) {
    for (let port = ports.first; port < ports.first + ports.count; port += 1) {
      const base = new URL(`http://127.0.0.1:${port}/`);
      const text = await fetch(new URL("ping", base)).then(
        (response) => response.text(),
        () => "",
      );
      if (text.startsWith("JoplinClipperServer")) return base;
    }
  }
  throw new Error(`Joplin's service did not start within ${startMsMax / 1_000} s.`);
}
