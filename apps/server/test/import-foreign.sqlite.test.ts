import { mkdtempDisposableSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { withCommand as test } from "./test-command.js";

function writeTo(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

const bookmarks = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><DL><p>
  <DT><H3 ADD_DATE="1700000000">Lamps &amp; lenses</H3><DL><p>
    <DT><A HREF="https://lens.example/a?b=1&amp;c=2" ADD_DATE="1700000001" TAGS="glass,light">Fresnel &lt;lens&gt;</A>
  </DL><p>
  <DT><A HREF="https://top.example/" ADD_DATE="1700000002">Top</A>
  <DT><A HREF="javascript:alert(1)" ADD_DATE="1700000003">Script</A>
  <DT><A HREF="place:sort=8" ADD_DATE="1700000003">Recent</A>
  <DT><A HREF="https://untimed.example/">Without a time</A>
</DL>`;

const karakeep = JSON.stringify({
  bookmarks: [
    {
      createdAt: 1_700_000_000,
      title: "Lens",
      tags: ["glass"],
      content: { type: "link", url: "https://lens.example/" },
      note: "Read this.",
    },
    { createdAt: 1_700_000_000, title: null, tags: [], content: { type: "text", text: "a thought" }, note: null },
  ],
});

const archivebox = JSON.stringify([
  { timestamp: "1700000000.5", url: "https://lens.example/", title: "Lens", tags: "glass,light" },
  { timestamp: "soon", url: "https://lens.example/b", title: null, tags: null },
]);

const chrome = `CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER, last_visit_time INTEGER, hidden INTEGER);
  CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER);
  INSERT INTO urls VALUES (1, 'https://lens.example/', 'Lens', 3, ${(1_700_000_000_000 + 11_644_473_600_000) * 1000}, 0),
    (2, 'https://frame.example/', '', 1, ${(1_700_000_000_000 + 11_644_473_600_000) * 1000}, 1),
    (3, 'chrome://settings/', 'Settings', 1, ${(1_700_000_000_000 + 11_644_473_600_000) * 1000}, 0)`;

const firefox = `CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER, hidden INTEGER, last_visit_date INTEGER);
  INSERT INTO moz_places VALUES (1, 'https://lens.example/', 'Lens', 3, 0, 1700000000000000), (2, 'about:config', NULL, 1, 0, 1700000000000000)`;

test.for<[name: string, write: (file: string) => void, created: number, skipped: Record<string, number>]>([
  ["bookmarks", (file) => writeFileSync(file, bookmarks), 2, { "not a web address": 2, "no time, or one that is not over yet": 1 }],
  ["karakeep", (file) => writeFileSync(file, karakeep), 1, { "no address": 1 }],
  ["archivebox", (file) => writeFileSync(file, archivebox), 1, { "no time, or one that is not over yet": 1 }],
  ["chrome", (file) => writeTo(file, chrome), 1, { "not a web address": 1 }],
  ["firefox", (file) => writeTo(file, firefox), 1, { "not a web address": 1 }],
])("imports %s as navigation contexts, and says what it skipped", async ([name, write, created, skipped], { command }) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-foreign-"));
  const file = join(directory.path, name);
  write(file);
  await command.run("users", "create", "ada");
  expect(await command.json("import", file)).toMatchObject({ created, failed: 0, rejected: 0, skipped });
  expect(await command.json("import", file)).toMatchObject({ created: 0, unchanged: created });
  const { out } = await command.run("export", "-");
  const contexts = out
    .split("\n")
    .filter((line) => line.startsWith('{"kind":"context"'))
    .map((line) => JSON.parse(line));
  const [first] = contexts;
  expect(contexts).toHaveLength(created);
  expect(first).toMatchObject({ type: "navigation", metadata: { source: name }, extensionId: `import-${name}` });
  expect(first.timestamp).toMatch(/^2023-11-14T22:13:2/);
});

test("keeps folders, tags and notes", async ({ command }) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-foreign-"));
  const [one, two] = [join(directory.path, "bookmarks.html"), join(directory.path, "karakeep.json")];
  writeFileSync(one, bookmarks);
  writeFileSync(two, karakeep);
  await command.run("import", one, "--user", "ada");
  await command.run("import", two, "--user", "ada");
  const { out } = await command.run("export", "-");
  expect(out).toContain('"metadata":{"source":"bookmarks","tags":"glass, light","folder":"Lamps & lenses"}');
  expect(out).toContain('"url":"https://lens.example/a?b=1&c=2","title":"Fresnel <lens>"');
  expect(out).toContain('"content":"Read this."');
});

test("refuses a database that is no history, and broken JSON", async ({ command }) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-foreign-"));
  const [database, broken] = [join(directory.path, "some.db"), join(directory.path, "broken.json")];
  writeTo(database, "CREATE TABLE pages (id)");
  writeFileSync(broken, '{"bookmarks": [');
  for (const file of [database, broken]) expect(await command.run("import", file, "--user", "ada")).toMatchObject({ code: 2 });
});

test("names the history that was not copied whole, and not the database of the service", async ({ command }) => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "periscope-foreign-"));
  const file = join(directory.path, "places.sqlite");
  writeTo(file, `${firefox}; ${"INSERT INTO moz_places (url) VALUES (hex(zeroblob(3000)));".repeat(20)}`);
  truncateSync(file, statSync(file).size / 2);
  const { code, err } = await command.run("import", file, "--user", "ada");
  expect([code, err]).toEqual([2, `${file} is damaged, or not whole. Copy it again.\n`]);
});
