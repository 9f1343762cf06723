import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { checkWhole, dumpOf, rowsOf, writeTo } from "./database-dump.js";
import { configMessage, createMessage, errorMessage } from "./messages.js";
import { Installation } from "./server-process.js";
import { withoutProgress } from "./test-command.js";

const users = ["ada", "grace"];

function page(index: number) {
  const url = `https://${index % 40 === 0 ? "blocked" : "articles"}.example/${index}`;
  const words = `Lighthouse ${index} is kept by keeper${index}@mail.example, who writes letters. `.repeat(1 + (index % 30));
  const context = {
    id: `page-${index}`,
    content: `<p>${words}</p>`,
    privacyLevel: "public",
    tabMetadata: { id: "7", url, title: "Lamps" },
  };
  return createMessage({ messageId: `m-${index}`, context });
}

/** Two users with pages, settings and errors, stored under no policy. */
async function fill(installation: Installation): Promise<void> {
  const server = await installation.serve();
  const mail = (index: number) => ({ account: `keeper${index}@mail.example` });
  const reports = Array.from({ length: 30 }, (_, index) => [
    errorMessage(`E${index}`, { details: mail(index) }),
    configMessage(`c${index}`, 1, mail(index), `browser-${index}`),
  ]).flat();
  for (const user of users) {
    const client = await installation.client(() => server, user);
    for (const messages of [reports, ...[0, 100].map((first) => Array.from({ length: 100 }, (_, index) => page(first + index)))])
      expect((await client.batch(messages)).body.failed).toBe(0);
  }
  await server.end("SIGTERM");
}

async function apply(installation: Installation) {
  const { code, out, err } = await installation.run("privacy", "apply", "--json");
  expect({ code, err: withoutProgress(err) }).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
}

it("ends as an undisturbed run when it is killed after each of its steps, or stopped by Ctrl-C", async () => {
  const variables: Record<string, string> = {};
  await using installation = await Installation.create(variables);
  await fill(installation);
  const file = join(installation.dataDir, "periscope.db");
  const copy = join(installation.dataDir, "copy.db");
  writeTo(file, `VACUUM INTO '${copy}'`);
  Object.assign(variables, { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "blocked.example" });
  const undisturbed = await apply(installation);
  const wanted = dumpOf(file);
  expect(undisturbed.counts).toMatchObject({ checked: 400, removed: { "blocked-site": 10 }, configs: 60, errors: 60 });

  variables["DATABASE_URL"] = `file:${copy}`;
  // Each step takes some tens of milliseconds more, in its transaction: there is time to see where a run is.
  writeTo(
    copy,
    `CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n;
     CREATE TRIGGER slow_progress BEFORE INSERT ON privacy_progress BEGIN SELECT count(*) FROM slow; END;`,
  );
  const steps = new Set<string>();
  const progress = () => JSON.stringify(rowsOf(copy, "SELECT userId, counts, finishedAt FROM privacy_progress"));
  let ends = 0;
  for (let kills = 0; ends === 0; kills++) {
    const before = progress();
    const child = installation.start("privacy", "apply");
    const ended = once(child, "exit");
    while (progress() === before && child.exitCode === null) await pause(2);
    if (kills % 5 === 4) await pause(Math.random() * 50);
    child.kill(kills % 7 === 3 ? "SIGINT" : "SIGKILL");
    const [code] = (await ended) as [number | null];
    expect([0, 130, null]).toContain(code);
    checkWhole(copy);
    steps.add(progress());
    if (code === 0) ends++;
  }
  expect(steps.size).toBeGreaterThan(8);
  writeTo(copy, "DROP TRIGGER slow_progress; DROP VIEW slow;");
  expect(await apply(installation)).toMatchObject({ users: 3, upToDate: 3 });
  expect(dumpOf(copy)).toEqual(wanted);
});
