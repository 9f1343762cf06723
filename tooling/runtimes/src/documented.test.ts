import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Periscope } from "@periscope/client";
import { startServer } from "@periscope/harness/server";
import { temporaryDirectory } from "@periscope/harness/temporary-directory";
import { expect, test } from "vitest";
import { runProgram } from "./run-program.ts";

// Here packages resolve as they do for a user.
const cwd = fileURLToPath(new URL("..", import.meta.url));
const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

async function startWithPage() {
  const data = await temporaryDirectory("periscope-documented-");
  const server = await startServer({ dataDir: data.path });
  const tabMetadata = { id: "1", url: "https://example.com/fresnel", title: "Fresnel's lens" };
  const content = `The lens of a lighthouse is made of rings of glass. ${"They bend the light. ".repeat(60)}`;
  const context = { id: "lens", type: "page", tabId: "1", capturedAt: "2026-01-31T12:00:00Z", content, tabMetadata } as const;
  await new Periscope({ baseUrl: server.baseUrl, apiKey: server.key }).sync({ type: "create", payload: { context } });
  return {
    environment: { PERISCOPE_BASE_URL: server.baseUrl, PERISCOPE_API_KEY: server.key },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await data[Symbol.asyncDispose]();
    },
  };
}

test("every snippet of the client's README runs", async () => {
  await using service = await startWithPage();
  const readme = await readFile(path("packages/client/README.md"), "utf8");
  const snippets = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);
  expect(snippets.length).toBeGreaterThan(5);
  const folder = join(cwd, ".cache", "snippets");
  await mkdir(folder, { recursive: true });
  try {
    const outputs = [];
    for (const [index, code] of snippets.entries()) {
      const file = join(folder, `${index}.ts`);
      await writeFile(file, code);
      outputs.push(await runProgram([process.execPath, file], { cwd, env: service.environment }));
    }
    expect(outputs.filter(({ code }) => code !== 0)).toEqual([]);
    // Two of them print what came of it.
    const printed = outputs.map(({ out }) => out);
    expect(printed).toContainEqual(expect.stringContaining("keeper {} 1 The keeper lights the lamp at dusk."));
    expect(printed).toContain("not there\n");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the quickstart answers from history, and says what to do when it cannot", async () => {
  const script = path("examples/agent-quickstart/src/main.ts");
  const run = (env: NodeJS.ProcessEnv, ...words: string[]) => runProgram([process.execPath, script, ...words], { cwd, env });
  await using service = await startWithPage();
  const found = await run(service.environment, "lighthouse", "lens");
  expect(found).toMatchObject({ code: 0, err: "" });
  expect(found.out).toContain(`It was "Fresnel's lens", https://example.com/fresnel, seen 2026-01-31.`);
  expect(found.out).toContain("It begins: The lens of a lighthouse is made of rings of glass.");
  expect((await run(service.environment, "submarines")).out).toContain(
    'No page about submarines was found. The page viewed last is "Fresnel',
  );
  expect(await run({ ...service.environment, PERISCOPE_API_KEY: "psk_unknown_key" }, "lens")).toMatchObject({ code: 1 });
  expect((await run({ PERISCOPE_BASE_URL: "http://127.0.0.1:9", PERISCOPE_API_KEY: "psk_k" }, "lens")).err).toContain("npx pnpm@12 start");
  expect((await run({}, "lens")).err).toContain("PERISCOPE_BASE_URL");
});
