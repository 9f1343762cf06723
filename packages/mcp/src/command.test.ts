import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { correctAddress } from "./failure.js";

const command = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

interface Outcome {
  code: number | null;
  out: string;
  err: string;
}

/** Runs the built command. */
const run = (words: readonly string[], ...how: [env?: Record<string, string>, input?: string, until?: string]) =>
  runNode([command, ...words], ...how);

/** Runs a program with this on its standard input, which then ends: at once, or when `until` stands in its output. */
async function runNode(words: readonly string[], env: Record<string, string> = {}, input = "", until = ""): Promise<Outcome> {
  const { NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, words, { env: { NODE_COMPILE_CACHE, ...env } });
  const outcome: Outcome = { code: null, out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    outcome.out += chunk;
    if (outcome.out.includes(until)) child.stdin.end();
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (outcome.err += chunk));
  child.stdin.write(input);
  if (until === "") child.stdin.end();
  [outcome.code] = (await once(child, "close")) as [number | null];
  return outcome;
}

const key = "psk_secret_0123456789";

it("tells its version and its settings", async () => {
  expect(await run(["--version"])).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
  expect(await run(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("PERISCOPE_BASE_URL") });
});

it.each([
  ["both settings missing", [], {}, /^PERISCOPE_BASE_URL and PERISCOPE_API_KEY must be set/],
  ["no key", [], { PERISCOPE_BASE_URL: "http://127.0.0.1:9" }, /^PERISCOPE_API_KEY must be set/],
  ["a blank address", [], { PERISCOPE_BASE_URL: " ", PERISCOPE_API_KEY: key }, /^PERISCOPE_BASE_URL must be set/],
  [
    "the placeholder of a key",
    [],
    { PERISCOPE_BASE_URL: "http://127.0.0.1:9", PERISCOPE_API_KEY: "psk_…" },
    /^PERISCOPE_API_KEY is no API key: .* "periscope keys create" makes one/,
  ],
  [
    "an address that is none",
    [],
    { PERISCOPE_BASE_URL: "127.0.0.1:3000", PERISCOPE_API_KEY: key },
    /^PERISCOPE_BASE_URL must be an address such as/,
  ],
  [
    "a log level that is none",
    [],
    { PERISCOPE_BASE_URL: "http://127.0.0.1:9", PERISCOPE_API_KEY: key, PERISCOPE_LOG: "loud" },
    /^logLevel and PERISCOPE_LOG must be one of/,
  ],
  ["an argument", [key], {}, /settings are environment variables/],
] as const)("says on standard error alone what is wrong with %s", async (_what, words, env, message) => {
  const { code, out, err } = await run(words, env);
  expect([code === 0, out, err]).toEqual([false, "", expect.stringMatching(message)]);
  expect(err).not.toContain(key);
});

it("writes only the protocol to standard output, and ends with its input", async () => {
  const env = { PERISCOPE_BASE_URL: "http://127.0.0.1:9", PERISCOPE_API_KEY: key, PERISCOPE_LOG: "debug" };
  const { code, out, err } = await run([], env, "this is no message\n");
  expect([code, out]).toEqual([0, ""]);
  expect(err).not.toContain(key);
});

const opening = (name: string, args: object = {}) => {
  const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const messages = [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name, arguments: args } },
  ];
  return messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
};

it("names a wrong address, to the user first of all and to the model with what to do", async () => {
  await using service = createServer((_, response) => void response.writeHead(404).end("<h1>Not Found</h1>")).listen(0, "127.0.0.1");
  await once(service, "listening");
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}/mcp`;
  const env = { PERISCOPE_BASE_URL: address, PERISCOPE_API_KEY: key };
  const { out, err } = await run([], env, opening("get_current_context"), '"id":2');
  const found = `There is no Periscope at PERISCOPE_BASE_URL, which is ${address}.`;
  expect(err).toMatch(/^The first contact with Periscope failed: There is no Periscope at .* delete_context is not offered\.$/m);
  expect(err).toContain(`${found} ${correctAddress}`);
  expect(out).toContain(`${found} ${correctAddress}`);
  expect(out).not.toContain("Call again once");
});

it("tells of a rate limit at once, when a host would not wait for its end", async () => {
  const limited = { error: "rate_limited", message: "More than 600 requests in this minute." };
  const asked: (string | undefined)[] = [];
  await using service = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(429, { "Content-Type": "application/json", "Retry-After": "50" }).end(JSON.stringify(limited));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const env = { PERISCOPE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, PERISCOPE_API_KEY: key };
  const { out } = await run([], env, opening("get_current_context"), '"id":2');
  expect(out).toContain(limited.message);
  expect(asked.filter((url) => url?.includes("/context/current"))).toHaveLength(1);
});

it("reports a failed call in the README's program too", async () => {
  const missing = { error: "not_found", message: "There is no context with this id." };
  await using service = createServer((_, response) => {
    response.writeHead(404, { "Content-Type": "application/json" }).end(JSON.stringify(missing));
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
  const [, code = ""] = /^```ts\n(.*?)^```$/ms.exec(await readFile(path("README.md"), "utf8")) ?? [];
  await mkdir(path(".cache"), { recursive: true });
  await writeFile(path(".cache/readme.ts"), code);
  const env = { PERISCOPE_BASE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, PERISCOPE_API_KEY: key };
  const { out } = await runNode([path(".cache/readme.ts")], env, opening("get_context", { contextId: "none" }), '"id":2');
  expect(out).toContain("There is no context with this id. Find ids with search_contexts or list_history.");
});
