import Database from "better-sqlite3";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { numbers, seed } from "./deep.js";
import { configMessage, createMessage, errorMessage } from "./messages.js";
import { Installation } from "./server-process.js";
import { withoutProgress } from "./test-command.js";

const below = numbers(seed);

function page(index: number) {
  const url = `https://${index % 40 === 0 ? "blocked" : "articles"}.example/${index}`;
  const words = `Lighthouse ${index} is kept by keeper${index}@mail.example, who writes letters. `.repeat(1 + (index % 30));
  const tabMetadata = { id: "7", url, title: "Lamps" };
  return createMessage({
    messageId: `m-${index}`,
    context: { id: `page-${index}`, content: `<p>${words}</p>`, privacyLevel: "public", tabMetadata },
  });
}

/** Two users with pages, settings and errors, stored under no policy. */
async function fill(installation: Installation): Promise<void> {
  const server = await installation.serve();
  const mail = (index: number) => ({ account: `keeper${index}@mail.example` });
  const reports = Array.from({ length: 30 }, (_, index) => [
    errorMessage(`E${index}`, { details: mail(index) }),
    configMessage(`c${index}`, 1, mail(index), `browser-${index}`),
  ]).flat();
  for (const user of ["ada", "grace"]) {
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

type Row = Record<string, unknown>;

/** Works on a database on a connection of its own. */
function on<T>(file: string, work: (db: Database.Database) => T): T {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Tables that say what is stored, and the columns that differ from run to run. */
const tables: Record<string, readonly string[]> = {
  users: ["revision"],
  contexts: [],
  tombstones: ["deletedAt", "storedAt"],
  processed_messages: [],
  extensions: [],
  extension_errors: [],
  privacy_rules: [],
  privacy_progress: ["run", "finishedAt", "updatedAt"],
  search_terms: [],
  search_owners: [],
};

/** All that a database holds, row by row, with the words of the search index. */
const dumpOf = (file: string) =>
  on(file, (db) => {
    db.exec("CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'search_index', 'instance')");
    const words = db.prepare<[], Row>('SELECT term, doc, col, "offset" FROM temp.words ORDER BY 1, 2, 3, 4').all();
    const rows = Object.entries(tables).map(([table, changing]) => {
      const order = table === "processed_messages" ? "1, 2, 3" : "1, 2";
      const all = db.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY ${order}`).all();
      return [table, all.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !changing.includes(name))))];
    });
    return { ...Object.fromEntries(rows), words };
  });

it("ends as an undisturbed run when it is killed or stopped after each step", async () => {
  const variables: Record<string, string> = {};
  await using installation = await Installation.create(variables);
  await fill(installation);
  const [file, copy] = ["periscope.db", "copy.db"].map((name) => join(installation.dataDir, name)) as [string, string];
  on(file, (db) => db.exec(`VACUUM INTO '${copy}'`));
  Object.assign(variables, { PRIVACY_MINIMUM_LEVEL: "filtered", BLOCKED_SITES: "blocked.example" });
  const undisturbed = await apply(installation);
  const wanted = dumpOf(file);
  expect(undisturbed.counts).toMatchObject({ checked: 400, removed: { "blocked-site": 10 }, configs: 60 });

  variables["DATABASE_URL"] = `file:${copy}`;
  // Each step takes some tens of milliseconds more, in its transaction: there is time to see where a run is.
  const slow = `CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n;
     CREATE TRIGGER slow_progress BEFORE INSERT ON privacy_progress BEGIN SELECT count(*) FROM slow; END;`;
  on(copy, (db) => db.exec(slow));
  const steps = new Set<string>();
  const progress = () =>
    on(copy, (db) => JSON.stringify(db.prepare("SELECT userId, counts, finishedAt FROM privacy_progress ORDER BY 1").all()));
  for (let kills = 0, code: number | null = null; code !== 0; kills++) {
    const before = progress();
    const child = installation.start("privacy", "apply");
    const ended = once(child, "exit");
    while (progress() === before && child.exitCode === null) await pause(2);
    if (kills % 5 === 4) await pause(below(50));
    child.kill(kills % 7 === 3 ? "SIGINT" : "SIGKILL");
    [code] = (await ended) as [number | null];
    expect([0, 130, null]).toContain(code);
    on(copy, (db) => {
      expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
      db.exec("INSERT INTO search_index(search_index) VALUES ('integrity-check')");
    });
    steps.add(progress());
  }
  expect(steps.size).toBeGreaterThan(8);
  on(copy, (db) => db.exec("DROP TRIGGER slow_progress; DROP VIEW slow;"));
  expect(await apply(installation)).toMatchObject({ users: 2, upToDate: 2 });
  expect(dumpOf(copy)).toEqual(wanted);
});
