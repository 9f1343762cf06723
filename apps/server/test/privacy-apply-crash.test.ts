import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { ApplyReport } from "../src/privacy/apply.service.js";
import { checkWhole, dumpOf, rowsOf } from "./database-dump.js";
import { createMessage } from "./messages.js";
import { Installation } from "./server-process.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const settings = { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "blocked.example" };
const contexts = 2_000;
const kills = 12;

const fileOf = ({ dataDir }: Installation) => join(dataDir, "periscope.db");

const source = new Installation();
beforeAll(() => fill(source));
afterAll(() => source[Symbol.asyncDispose]());

/** Two users with pages, settings and errors, all of them stored under no policy at all. */
async function fill(installation: Installation): Promise<void> {
  const server = await installation.serve();
  for (const user of ["ada", "grace"]) {
    const client = await installation.client(() => server, user);
    for (let first = 0; first < contexts / 2; first += 100) {
      const { body } = await client.batch(Array.from({ length: 100 }, (_, index) => page(first + index)));
      expect(body.failed).toBe(0);
    }
    const told = Array.from({ length: 60 }, (_, index) => ({ ...error(index), extensionId: `browser-${index}` }));
    expect((await client.batch(told)).body.failed).toBe(0);
    expect((await client.batch(told.map(({ id, ...rest }) => ({ ...rest, id: `c-${id}`, ...config })))).body.failed).toBe(0);
  }
  await server.end("SIGTERM");
}

function page(index: number) {
  const url = `https://${index % 40 === 0 ? "blocked" : "articles"}.example/${index}`;
  const words = `Lighthouse ${index} is kept by keeper${index}@mail.example, who writes letters. `.repeat(1 + (index % 30));
  const context = {
    id: `page-${index}`,
    content: `<p>${words}</p>`,
    privacyLevel: "public",
    tabMetadata: { id: "7", url, title: "Lighthouses" },
  };
  return createMessage({ messageId: `m-${index}`, context });
}

const error = (index: number) => ({
  id: `e-${index}`,
  type: "error",
  timestamp: "2026-01-31T12:00:00Z",
  payload: { type: "error", code: "E", message: `no answer from keeper${index}@mail.example` },
});
const config = { type: "config", payload: { type: "config", config: { account: "keeper@mail.example" } } };

/** What {@link fill} has stored, once more, to be filtered again under {@link settings}. */
function copyOfSource(): Installation {
  const copy = new Installation(settings);
  cpSync(fileOf(source), fileOf(copy));
  return copy;
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

/** Contexts that the runs have looked at so far, as the database says. */
function checkedIn(installation: Installation): number {
  const counts = rowsOf<{ counts: string }>(fileOf(installation), "SELECT counts FROM privacy_progress");
  return counts.reduce((sum, { counts }) => sum + (JSON.parse(counts) as ApplyReport["counts"]).checked, 0);
}

async function applyWhole(installation: Installation): Promise<ApplyReport> {
  const { code, out, err } = await installation.run("privacy", "apply", "--json");
  expect({ code, err: err.replace(/^ *\d+%.*\n/gm, "") }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

it("kill -9 at any point of a run, and going on there, ends as a run that nobody disturbed", async () => {
  await using whole = copyOfSource();
  const report = await applyWhole(whole);
  expect(report.counts).toMatchObject({
    checked: contexts,
    removed: { "blocked-site": 50 },
    configs: 120,
    errors: 120,
    replayRecords: contexts + 240,
  });

  await using broken = copyOfSource();
  const checkedAt: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const child = broken.start("privacy", "apply");
    // Each time somewhat further; the rest is chance.
    const wanted = (contexts * (kill + Math.random())) / (kills + 1);
    while (child.exitCode === null && checkedIn(broken) < wanted) await pause(2);
    await pause(Math.random() * 40);
    child.kill("SIGKILL");
    await ended(child);
    checkWhole(fileOf(broken));
    checkedAt.push(checkedIn(broken));
  }
  process.stdout.write(`kill -9 while filtering again, contexts checked: ${checkedAt.join(", ")}\n`);
  expect(checkedAt.filter((checked) => checked < contexts)).toHaveLength(kills);
  expect(await applyWhole(broken)).toEqual(report);
  expect(dumpOf(fileOf(broken))).toEqual(dumpOf(fileOf(whole)));
  expect(await applyWhole(broken)).toMatchObject({ users: 3, upToDate: 3 });
});

it("runs at once share the work and do nothing twice", async () => {
  await using whole = copyOfSource();
  const { counts } = await applyWhole(whole);
  await using shared = copyOfSource();
  const reports = await Promise.all([applyWhole(shared), applyWhole(shared), applyWhole(shared)]);
  expect(dumpOf(fileOf(shared))).toEqual(dumpOf(fileOf(whole)));
  const working = reports.filter(({ upToDate }) => upToDate === 0);
  expect(working.map((report) => report.counts)).toEqual(working.map(() => counts));
});

it("Ctrl-C ends it after the slice that is under way, and says how to go on", async () => {
  await using stopped = copyOfSource();
  const child = stopped.start("privacy", "apply");
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  while (checkedIn(stopped) === 0) await pause(2);
  child.kill("SIGINT");
  expect(await ended(child)).toBe(130);
  expect(err).toContain("Stopped. What was done is kept: the same command goes on from there.\n");
  const [progress] = rowsOf<{ seq: number; finishedAt: number | null }>(fileOf(stopped), "SELECT * FROM privacy_progress");
  expect(progress?.finishedAt).toBeNull();
  expect((await applyWhole(stopped)).counts.checked).toBe(contexts);
});
