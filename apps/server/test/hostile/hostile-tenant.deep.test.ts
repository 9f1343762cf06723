import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { createMessage } from "../messages.js";
import { Installation, type ServerProcess } from "../server-process.js";
import type { TestClient } from "../test-client.js";
import type { Answers } from "./attacker.js";
import { attacks, type AttackName } from "./attacks.js";

const names = Object.keys(attacks) as AttackName[];
const forMs = 15_000;

// Of three measurements the best: other work of the machine is no fault of the server.
test.each(names)("serves other users during an attack: %s", { retry: 2 }, async (name) => {
  await using installation = await Installation.create({ NODE_OPTIONS: "--max-old-space-size=512" });
  const server = await installation.serve();
  const client = (user: string) => installation.client(() => server, user);
  const others = await Promise.all(["ada", "barbara", "edsger", "grace", "tony"].map(client));
  await using attack = await startAttack(name, server.baseUrl, (await client("hostile")).key);
  const alone = await use(others, forMs);
  const before = residentMiB(server);
  attack.begin();
  const during = await use(others, forMs);
  const answers = await attack.end();
  expect(during.failed).toEqual([]);
  for (const [status, { isClear, message }] of Object.entries(answers))
    expect({ status, message, isClear: isClear && status !== "500" }).toMatchObject({ isClear: true });
  process.stdout.write(`${JSON.stringify({ name, alone, during, residentMiB: { before, peak: residentMiB(server) }, answers })}\n`);
  await vi.waitFor(() => expect(residentMiB(server)).toBeLessThan(before + memoryKeptMiB), { timeout: 30_000, interval: 500 });
  for (const kind of ["sync", "search"] as const)
    expect({ kind, p99: during[kind].p99, isFair: during[kind].p99 <= Math.max(100, 3 * alone[kind].p99) }).toMatchObject({ isFair: true });
});

/** What a process may keep for a while of what an attack made it take. */
const memoryKeptMiB = 256;

const small = () => createMessage({ context: { content: "lighthouses and the people who kept them ".repeat(20) } });

/** Small syncs and searches of several users, one after the other, for a time: their latencies in ms, and what was not served. */
async function use(clients: readonly TestClient[], forMs: number) {
  const [sync, search]: number[][] = [[], []];
  const failed: unknown[] = [];
  const timed = async (times: number[], wanted: number, send: () => Promise<{ status: number; body: unknown }>) => {
    const start = performance.now();
    const { status, body } = await send();
    times.push(performance.now() - start);
    if (status !== wanted) failed.push({ status, body });
  };
  const end = performance.now() + forMs;
  for (let turn = 0; performance.now() < end; turn++) {
    const client = clients[turn % clients.length];
    await timed(sync ?? [], 201, () => client!.sync(small()));
    await timed(search ?? [], 200, () => client!.get("/context/search?query=lighthouses"));
    // Within the users' budgets.
    await pause(60);
  }
  return { sync: latencies(sync ?? []), search: latencies(search ?? []), failed };
}

function latencies(times: number[]): { count: number; p50: number; p99: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99) };
}

function residentMiB({ pid }: ServerProcess): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

/** An attacker in a process of its own, prepared and not yet begun. */
async function startAttack(name: AttackName, baseUrl: string, key: string) {
  const child = fork(fileURLToPath(new URL("attacks.ts", import.meta.url)), [name, baseUrl, key], { execArgv: ["--no-warnings"] });
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`The attacker ended with ${String(code)}.`)));
  ended.catch(() => {});
  await Promise.race([once(child, "message"), ended]);
  return {
    begin: () => void child.send("begin"),
    async end(): Promise<Answers> {
      child.send("end");
      const [answers] = (await once(child, "message")) as [Answers];
      return answers;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
    },
  };
}
