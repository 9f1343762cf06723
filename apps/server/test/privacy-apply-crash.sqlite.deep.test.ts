import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { RefilterReport } from "../src/refilter/refilter.service.js";
import { ended, openGate, progressIn, reached, shutGate, slowDown, speedUp } from "./apply-process.js";
import { checkWhole, dumpOf, rowsOf, writeTo } from "./database-dump.js";
import { createMessage } from "./messages.js";
import { Installation } from "./server-process.js";
import { withoutProgress } from "./test-command.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const settings = { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "blocked.example" };
const users = ["ada", "grace"];
const contexts = 400;

const fileOf = ({ dataDir }: Installation) => join(dataDir, "periscope.db");

const source = await Installation.create();
/** What a run makes of it that nobody disturbs. */
let undisturbed: { report: RefilterReport; dump: ReturnType<typeof dumpOf> };

beforeAll(async () => {
  await fill(source);
  await using whole = await copyOfSource();
  undisturbed = { report: await applyWhole(whole), dump: dumpOf(fileOf(whole)) };
});
afterAll(() => source[Symbol.asyncDispose]());

/** Two users with pages, settings and errors, all of them stored under no policy at all. */
async function fill(installation: Installation): Promise<void> {
  const server = await installation.serve();
  for (const user of users) {
    const client = await installation.client(() => server, user);
    for (let first = 0; first < contexts / users.length; first += 100) {
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
async function copyOfSource(): Promise<Installation> {
  const copy = await Installation.create(settings);
  cpSync(fileOf(source), fileOf(copy));
  return copy;
}

async function slowCopyOfSource(pace?: "very slow"): Promise<Installation> {
  const copy = await copyOfSource();
  slowDown(fileOf(copy), pace);
  return copy;
}

async function applyWhole(installation: Installation): Promise<RefilterReport> {
  const { code, out, err } = await installation.run("privacy", "apply", "--json");
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

/** The phases of a user's part, last first, and what of the counts shows in SQL that one has begun. */
const phases: Record<string, string> = {
  "replay records": "counts ->> 'replayRecords' > 0",
  errors: "counts ->> 'errors' > 0",
  configs: "counts ->> 'configs' > 0",
  "contexts, second half": `counts ->> 'checked' > ${contexts / users.length / 2}`,
  contexts: "counts ->> 'checked' > 0",
};

/** Whether a user's part has come to a phase, in SQL. */
const hasBegun = (user: string, phase: string) =>
  `EXISTS (SELECT 1 FROM privacy_progress WHERE userId = '${user}' AND ${phases[phase] ?? "no such phase"})`;

/** Whether a user's part has come to this phase. */
const isIn = (installation: Installation, user: string, phase: string) =>
  rowsOf(fileOf(installation), `SELECT 1 WHERE ${hasBegun(user, phase)}`).length > 0;

/** Where the run is that has come furthest, as the database says. */
function placeOf(installation: Installation): string {
  if ([...progressIn(fileOf(installation)).values()].some(({ finishedAt }) => finishedAt !== null)) return "finished";
  const places = users.toReversed().flatMap((user) => Object.keys(phases).map((phase) => ({ user, phase })));
  return places.find(({ user, phase }) => isIn(installation, user, phase))?.phase ?? "nothing yet";
}

/** Where runs are killed: once a user's part has come to a phase, and some time later, so that not all fall into the same part of a step. */
const kills = [
  { user: "ada", phase: "contexts, second half", afterMs: 45 },
  { user: "ada", phase: "configs", afterMs: 15 },
  { user: "ada", phase: "errors", afterMs: 30 },
  { user: "ada", phase: "replay records", afterMs: 10 },
  { user: "grace", phase: "contexts", afterMs: 45 },
];

/** Kills a run that has come to this phase and does not come further, however late it is killed. */
async function killIn(installation: Installation, { user, phase, afterMs }: (typeof kills)[number]) {
  shutGate(fileOf(installation), hasBegun(user, phase));
  const child = installation.start("privacy", "apply");
  await reached(child, () => isIn(installation, user, phase));
  await pause(afterMs);
  child.kill("SIGKILL");
  await ended(child);
}

/** Bytes of the write-ahead log. */
const logSize = (installation: Installation) => statSync(`${fileOf(installation)}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Kills a run that has written the file anew and wants to empty the log, which it cannot while somebody reads old pages. */
async function killInCleanUp(installation: Installation) {
  using closing = new DisposableStack();
  const reader = new Database(fileOf(installation), { readonly: true });
  closing.defer(() => reader.close());
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM contexts").get();
  const child = installation.start("privacy", "apply");
  await reached(child, () => logSize(installation) > statSync(fileOf(installation)).size / 2);
  await pause(20);
  child.kill("SIGKILL");
  await ended(child);
}

/** Pages of the file that hold nothing. */
const freePages = (installation: Installation) =>
  rowsOf<{ freelist_count: number }>(fileOf(installation), "PRAGMA freelist_count")[0]?.freelist_count;

/** Kills a run that has emptied the log and notes that nothing is left to do. */
async function killAtEnd(installation: Installation) {
  const file = fileOf(installation);
  // Writing the file anew clears them, after which the log is emptied once: it is empty also before.
  writeTo(file, "CREATE TABLE spare AS SELECT zeroblob(100000) AS room; DROP TABLE spare");
  expect(freePages(installation)).toBeGreaterThan(0);
  shutGate(file, `NEW."finishedAt" IS NOT NULL`);
  const child = installation.start("privacy", "apply");
  await reached(child, () => freePages(installation) === 0);
  await reached(child, () => logSize(installation) === 0);
  await pause(20);
  child.kill("SIGKILL");
  await ended(child);
}

it("ends as an undisturbed run when it is killed in each phase and run again", async () => {
  expect(undisturbed.report.counts).toMatchObject({
    checked: contexts,
    removed: { "blocked-site": 10 },
    configs: 120,
    errors: 120,
    replayRecords: contexts + 240,
  });
  await using broken = await copyOfSource();
  const killedIn: string[] = [];
  const killed = () => {
    checkWhole(fileOf(broken));
    killedIn.push(placeOf(broken));
  };
  for (const kill of kills) {
    await killIn(broken, kill);
    killed();
    openGate(fileOf(broken));
  }
  await killInCleanUp(broken);
  killed();
  await killAtEnd(broken);
  killed();
  openGate(fileOf(broken));
  expect(new Set(killedIn)).toEqual(new Set(Object.keys(phases)));
  expect(await applyWhole(broken)).toEqual(undisturbed.report);
  expect(dumpOf(fileOf(broken))).toEqual(undisturbed.dump);
  expect(await applyWhole(broken)).toMatchObject({ users: 3, upToDate: 3 });
});

it("stops after the current page on Ctrl-C, and says how to continue", async () => {
  await using stopped = await slowCopyOfSource("very slow");
  const child = stopped.start("privacy", "apply");
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  await reached(child, () => isIn(stopped, "ada", "contexts"));
  child.kill("SIGINT");
  expect(await ended(child)).toBe(130);
  expect(err).toContain("Stopped. The work so far is saved: run the same command to continue.\n");
  expect(progressIn(fileOf(stopped)).get("ada")?.finishedAt).toBeNull();
  speedUp(fileOf(stopped));
  expect((await applyWhole(stopped)).counts.checked).toBe(contexts);
});
