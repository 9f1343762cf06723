import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ProgramOptions, runProgram, startProgram } from "@periscope/harness/program";
import { root } from "./tally.ts";

// Packs every published package, checks the archives with publint and "are the types wrong", installs them into an empty project, and
// uses them there: every import, every command, the types of the sync library, the first lines of the client's README.

interface Package {
  name: string;
  version: string;
  directory: string;
  archive: string;
  entries: string[];
  commands: string[];
}

const strict = {
  target: "ES2024",
  lib: ["ES2024", "DOM", "DOM.Iterable"],
  strict: true,
  exactOptionalPropertyTypes: true,
  // The declarations of the packages as well: an extension has neither Node's types nor those of the browser's APIs.
  skipLibCheck: false,
  types: [],
  noEmit: true,
};

const own = await mkdtemp(join(tmpdir(), "periscope-packed-"));
try {
  const packages = await packAll();
  checkVersions(packages);
  for (const { archive, entries } of packages) {
    await run(["publint", "run", archive, "--strict"], { cwd: root });
    if (entries.length > 0) await run(["attw", archive, "--profile", "esm-only", "--no-emoji", "--no-color"], { cwd: root });
  }
  await installAll(packages);
  for (const { entries, commands } of packages) {
    for (const entry of entries) await run(["node", "--input-type=module", "--eval", `await import(${JSON.stringify(entry)})`]);
    for (const command of commands) await run([join(own, "node_modules/.bin", command), "--version"]);
  }
  // The migrations ship beside the code.
  const createsKey = "node_modules/.bin/periscope keys create --user installed --scopes read --data-dir data --json";
  await run(createsKey.split(" "));
  await checkTypes(packages.find(({ name }) => name === "@periscope/sync")?.entries ?? []);
  await checkQuickstart();
} finally {
  await rm(own, { recursive: true, force: true });
}

/** Runs a command in the project. @throws Error with its output when it fails */
async function run(command: readonly string[], options: Partial<ProgramOptions> = {}): Promise<string> {
  const { code, out, err } = await runProgram(command, { cwd: own, env: process.env, ...options });
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${out}${err}`);
  return out;
}

/** Equal versions work together, so that changesets must raise all of them at once. @throws Error when it would not */
function checkVersions(packages: readonly Package[]): void {
  const { fixed } = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8")) as { fixed: string[][] };
  const names = packages.map(({ name }) => name).toSorted();
  if (fixed.map((group) => group.toSorted().join()).join(" ") !== names.join())
    throw new Error(`"fixed" of .changeset/config.json must be one group of all published packages: ${names.join(", ")}`);
  const versions = packages.map(({ name, version }) => `${name} ${version}`);
  if (new Set(packages.map(({ version }) => version)).size !== 1)
    throw new Error(`Published packages need one version: ${versions.join(", ")}`);
}

async function packAll(): Promise<Package[]> {
  const packages: Package[] = [];
  for (const path of globSync("{apps,packages}/*/package.json", { cwd: root }).sort()) {
    const manifest = JSON.parse(readFileSync(join(root, path), "utf8")) as Record<"name" | "version", string> &
      Record<string, object | boolean | undefined>;
    if (manifest["private"] === true) continue;
    const { name, version } = manifest;
    const archive = join(own, `${name.replace("@", "").replace("/", "-")}.tgz`);
    await run(["pnpm", "pack", "--out", archive], { cwd: join(root, dirname(path)) });
    const published = (manifest["publishConfig"] as { exports?: object } | undefined)?.exports ?? manifest["exports"];
    // Some packages have entries for this repository only.
    const entries = Object.keys(published ?? {}).map((entry) => entry.replace(".", name));
    packages.push({ name, version, directory: dirname(path), archive, entries, commands: Object.keys(manifest["bin"] ?? {}) });
  }
  return packages;
}

/**
 * Packages that need each other find the archives, and not older versions of the registry. By pnpm, which has their dependencies at hand
 * and hides from a package what it does not name. YAML takes JSON.
 */
async function installAll(packages: readonly Package[]): Promise<void> {
  const archives = Object.fromEntries(packages.map(({ name, archive }) => [name, `file:${archive}`]));
  const manifest = { name: "periscope-install", private: true, type: "module", dependencies: archives };
  await writeFile(join(own, "package.json"), JSON.stringify(manifest));
  await writeFile(join(own, "pnpm-workspace.yaml"), JSON.stringify({ overrides: archives, strictPeerDependencies: true }));
  await run(["pnpm", "install", "--prefer-offline", "--no-frozen-lockfile"]);
}

/** Compiles every entry of the sync library and the first programs of the READMEs: for a bundler, and as Node resolves. */
async function checkTypes(syncEntries: readonly string[]): Promise<void> {
  const programs = {
    "entries.ts": syncEntries.map((entry, index) => `export * as entry${index} from ${JSON.stringify(entry)};\n`).join(""),
    "background.ts": await firstSnippet("packages/sync/README.md"),
    "client.ts": `${await firstSnippet("packages/client/README.md")}export const title: string | undefined = context?.title;\n`,
  };
  for (const [name, code] of Object.entries(programs)) await writeFile(join(own, name), code);
  for (const resolution of [
    { module: "ESNext", moduleResolution: "Bundler" },
    { module: "NodeNext", moduleResolution: "NodeNext" },
  ]) {
    const project = { compilerOptions: { ...strict, ...resolution }, files: Object.keys(programs) };
    await writeFile(join(own, "tsconfig.json"), JSON.stringify(project));
    await run(["node", join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"]);
  }
}

/** Has the first lines of the client's README answered by the installed server, in Node 24 and 22, as TypeScript and as JavaScript. */
async function checkQuickstart(): Promise<void> {
  const program = `${await firstSnippet("packages/client/README.md")}console.log("the current context:", context);\n`;
  for (const name of ["first-lines.ts", "first-lines.mjs"]) await writeFile(join(own, name), program);
  const env = {
    ...process.env,
    PORT: "0",
    HOST: "127.0.0.1",
    PERISCOPE_HEADLESS: "true",
    PERISCOPE_DATA_DIR: join(own, "quickstart-data"),
  };
  await using server = await startProgram({ command: ["node_modules/.bin/periscope", "serve"], cwd: own, env });
  const client = { ...process.env, PERISCOPE_BASE_URL: server.address, PERISCOPE_API_KEY: /\bpsk_\w+/.exec(server.output())?.[0] };
  for (const node of ["node", join(root, "tooling/runtimes/node_modules/node-22/bin/node")]) {
    for (const file of ["first-lines.ts", "first-lines.mjs"]) {
      const output = await run([node, file], { env: client });
      if (!output.includes("the current context: null")) throw new Error(`${node} ${file} said:\n${output}`);
    }
  }
  await checkMcp(client);
}

/** Starts the MCP server as a host does: it answers, and ends with its input. */
async function checkMcp(env: NodeJS.ProcessEnv): Promise<void> {
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "check", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ];
  const host = spawn("npx", ["--no-install", "@periscope/mcp"], { cwd: own, env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(host, "close");
  host.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  let answers = "";
  for await (const chunk of host.stdout.setEncoding("utf8")) {
    answers += chunk;
    if (answers.includes("get_current_context")) host.stdin.end();
  }
  const [code] = await ended;
  if (code !== 0 || !answers.includes("get_current_context")) throw new Error(`npx @periscope/mcp ended with ${code}:\n${answers}`);
}

async function firstSnippet(path: string): Promise<string> {
  const [, snippet] = /^```ts\n(.*?)^```$/ms.exec(await readFile(join(root, path), "utf8")) ?? [];
  if (snippet === undefined) throw new Error(`${path} has no snippet.`);
  return snippet;
}
