import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "@periscope/harness/program";
import { startServiceWith } from "./service-with-pages.ts";

// Here packages resolve as they do for a user.
const cwd = fileURLToPath(new URL("..", import.meta.url));
const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

const tsSnippets = async (file: string) =>
  [...(await readFile(path(file), "utf8")).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

const lens = {
  id: "fresnel",
  title: "Fresnel's lens",
  content: `The lens of a lighthouse is made of rings of glass. ${"They bend the light. ".repeat(60)}`,
};

let service: Awaited<ReturnType<typeof startServiceWith>>;
beforeAll(async () => {
  service = await startServiceWith([lens]);
});
afterAll(() => service[Symbol.asyncDispose]());

// First: those below store what then was viewed last.
test("the quickstart answers from history, and says what to do when it cannot", async () => {
  const script = path("examples/agent-quickstart/src/main.ts");
  const run = (env: NodeJS.ProcessEnv, ...words: string[]) => runProgram([process.execPath, script, ...words], { cwd, env });
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

test("every snippet of the client's README runs, and that of an export", async () => {
  const snippets = await tsSnippets("packages/client/README.md");
  expect(snippets.length).toBeGreaterThan(5);
  snippets.push(...(await tsSnippets("docs/how-to/take-your-data-elsewhere.md")));
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
    // Some of them print what came of it.
    const printed = outputs.map(({ out }) => out);
    expect(printed).toContainEqual(expect.stringContaining("keeper {} 1 The keeper lights the lamp at dusk."));
    expect(printed).toContain("not there\n");
    expect(printed).toContainEqual(expect.stringContaining("https://example.com/fresnel The lens of a lighthouse"));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the live channel's example prints what becomes current, until Ctrl-C", async () => {
  const [code = ""] = await tsSnippets("docs/how-to/live-channel.md");
  expect(code.split("\n").length).toBeLessThan(16);
  const env = { PATH: process.env["PATH"], ...service.environment };
  const program = spawn(process.execPath, ["--input-type=module-typescript", "--eval", code], { cwd, env });
  try {
    const ended = once(program, "close");
    const errors = text(program.stderr);
    let printed = "";
    program.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    for (let page = 0; !printed.includes("Now: Page"); page++) {
      const tabMetadata = { id: "1", url: "https://example.com/keeper", title: `Page ${page}` };
      const context = { type: "page", tabId: "1", capturedAt: new Date().toISOString(), tabMetadata } as const;
      await service.client.sync({ type: "create", payload: { context } });
      if (program.exitCode !== null) throw new Error(`It ended by itself: ${await errors}`);
      await wait(50);
    }
    program.kill("SIGINT");
    expect([...(await ended), printed.endsWith("\nStopped.\n"), await errors]).toEqual([0, null, true, ""]);
  } finally {
    program.kill("SIGKILL");
  }
});
