import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Peer } from "./peer.ts";

const run = promisify(execFile);
const token = "only for a benchmark";
/** The first port that its service tries. */
const port = 41_184;
const waitMsMax = 600_000;

/** Joplin's terminal program with its REST service: a note a request. Undefined when it is not installed. */
export async function openJoplin(directory: string, signal: AbortSignal): Promise<Peer | undefined> {
  mkdirSync(directory, { recursive: true });
  const env = { HOME: directory, LC_ALL: "C.UTF-8", PATH: process.env["PATH"] ?? "" };
  const profile = ["--profile", directory];
  const version = await run("joplin", [...profile, "version"], { env, signal }).catch(() => undefined);
  signal.throwIfAborted();
  if (version === undefined) return undefined;
  await run("joplin", [...profile, "config", "api.token", token], { env, signal });
  const child = spawn("joplin", [...profile, "server", "start"], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const url = new URL(path, `http://127.0.0.1:${port}/`);
    url.searchParams.set("token", token);
    const response = await fetch(url, { method, body: body === undefined ? null : JSON.stringify(body), signal });
    if (!response.ok) throw new Error(`Joplin answered ${method} ${path} with ${response.status} ${(await response.text()).slice(0, 200)}`);
    return await response.json();
  };
  const until = async (what: string, holds: () => Promise<boolean>) => {
    for (const started = performance.now(); !(await holds()); await delay(500, undefined, { signal }))
      if (performance.now() - started > waitMsMax) throw new Error(`Joplin did not ${what} within ${waitMsMax / 60_000} minutes.`);
  };
  const search = async (query: string) => {
    const parameters = new URLSearchParams({ query, limit: "20", fields: "id,title,source_url,updated_time" });
    return (await ask("GET", `/search?${parameters}`)) as { items: unknown[] };
  };
  // Without a notebook a note has no place.
  await until("start", async () => await ask("POST", "/folders", { title: "pages" }).then(Boolean, () => false));
  return {
    name: `Joplin ${/\d+\.\d+\.\d+/.exec(version.stdout)?.[0] ?? ""}`,
    async add(documents) {
      const started = performance.now();
      let last = "";
      for (const { title, url, content } of documents) {
        last = new URL(url).pathname.split("/").at(-1) ?? "";
        // It fetches the pictures of a note; a benchmark asks nothing of the network.
        const body = content.replaceAll("![", "[").replaceAll(/<(?:img|source|audio|video|embed|object|iframe|link)\b/gi, "<b");
        await ask("POST", "/notes", { title: `${title} ${last}`, body, source_url: url });
      }
      // Its index is brought up to date in the background.
      await until("find the last page", async () => (await search(`"${last}"`)).items.length > 0);
      return (performance.now() - started) / 1_000;
    },
    async search(text) {
      await search(text);
    },
    bytes: () =>
      readdirSync(directory)
        .filter((name) => name.startsWith("database.sqlite"))
        .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
