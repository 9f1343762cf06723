import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { processTreeMemory } from "./process-tree-memory.ts";
import { processorSeconds } from "./processor-time.ts";

const busy = "while (process.cpuUsage().user < 200_000); console.log('done'); setInterval(() => {}, 1000)";

const isKnown = process.platform === "linux";

test("memory and processor time of a process are those of it and its children, where the system tells", async () => {
  const parent = spawn("sh", ["-c", `"${process.execPath}" -e "${busy}"; true`], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  try {
    await once(parent.stdout, "data");
    expect(processorSeconds(parent.pid!) ?? 0).toBeGreaterThan(isKnown ? 0.1 : -1);
    expect(processTreeMemory(parent.pid!) ?? 0).toBeGreaterThan(isKnown ? 10 : -1);
  } finally {
    process.kill(-parent.pid!, "SIGKILL");
  }
  const ended = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  expect(processorSeconds(ended)).toBeUndefined();
});
