import { fileURLToPath } from "node:url";
import { startServer } from "@periscope/harness/server";
import { expect, test } from "vitest";
import { startFaultyService } from "./faulty-service.ts";
import { runProgram } from "@periscope/harness/program";
import { runtimes } from "./runtimes.ts";
import type { TrialOptions, TrialReport } from "./trial.ts";

const program = fileURLToPath(new URL("trial-program.ts", import.meta.url));
const cwd = fileURLToPath(new URL("..", import.meta.url));

test("the classes of the built client have the names that they are exported under", async () => {
  const code = `import * as client from "@periscope/client";
    for (const [name, { name: own }] of Object.entries(client)) if (own !== name) console.log(own, "in place of", name);`;
  expect(await runProgram([process.execPath, "--input-type=module", "--eval", code], { cwd })).toMatchObject({ code: 0, out: "" });
});

test("the built client keeps its promises in Node 22, Node 24, Deno and Bun", async () => {
  await using server = await startServer();
  await using faulty = await startFaultyService();
  const options: TrialOptions = { baseUrl: server.baseUrl, key: server.key, faultyUrl: faulty.origin };
  const runs = Object.entries(runtimes).map(async ([name, command]) => {
    const { code, out, err } = await runProgram([...command, program, JSON.stringify(options)], { cwd });
    if (code !== 0) return [`${name}: it ended with ${code}: ${err}`];
    const report = Object.entries(JSON.parse(out) as TrialReport);
    if (report.length < 8) return [`${name}: the trial has lost its parts`];
    return report.flatMap(([part, problem]) => (problem === null ? [] : [`${name}: ${part}: ${problem}`]));
  });
  expect(runs).toHaveLength(4);
  expect((await Promise.all(runs)).flat()).toEqual([]);
});
