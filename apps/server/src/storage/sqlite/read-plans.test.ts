import { mkdtempDisposableSync } from "node:fs";
import { scratchFolder } from "@periscope/harness/temporary-directory";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ReadBounds } from "../../access/access.store.js";
import { createContextStore } from "../contexts.js";
import type { Sql } from "../sql.js";
import { openWriter } from "./connection.js";
import { migrateSqlite } from "./migrate.js";
import { dialect } from "./sql.js";

/** A store with contexts of the user `ada`, and what SQLite does for each statement that it reads with. */
function openStore() {
  const folder = mkdtempDisposableSync(join(scratchFolder(), "periscope-plans-"));
  const file = join(folder.path, "periscope.db");
  migrateSqlite(file);
  const db = openWriter(file);
  const add = db.prepare(
    `INSERT INTO contexts (userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, viewedAt, contentFormat, url,
       title, tabMetadata, metadata, levelReasons, content)
     VALUES ('ada', @id, 'page', @tabId, 'e', @capturedAt, @level, 0, @viewedAt, 'text', '', '', '{}', '{}', '[]', '')`,
  );
  const plans: string[][] = [];
  const read: Sql["read"] = async <Row>(_: string, text: string, values: readonly unknown[]) => {
    const named = Object.fromEntries(values.map((value, at) => [at + 1, value]));
    const steps = db.prepare<[object], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(named);
    plans.push(steps.map(({ detail }) => detail));
    return db.prepare<[object], Row>(text).all(named);
  };
  return {
    store: createContextStore({ ...dialect, read, write: async () => 0 }, ""),
    add: (id: string, fields: { level: string; capturedAt: number; viewedAt?: number; tabId?: string }) =>
      void add.run({ id, tabId: "t", viewedAt: null, ...fields }),
    plans: () => plans.splice(0),
    [Symbol.dispose]() {
      db.close();
      folder.remove();
    },
  };
}

const filters = [{}, { tabId: "t" }, { extensionId: "e" }];
const [limited, unlimited]: ReadBounds[] = [
  { userId: "ada", maxPrivacyLevel: "private" },
  { userId: "ada", maxPrivacyLevel: "restricted" },
];

test("finds the current context of a key with a level at one place of an index, past all hidden ones", async () => {
  using opened = openStore();
  const { store, add, plans } = opened;
  add("captured", { level: "public", capturedAt: 1 });
  for (let time = 2; time < 100; time++) add(`hidden${time}`, { level: "restricted", capturedAt: time, viewedAt: time });
  for (const filter of filters) expect((await store.current(limited!, filter))?.contextId).toBe("captured");
  expect(await store.current(limited!, { tabId: "none" })).toBeNull();
  add("viewed", { level: "private", capturedAt: 0, viewedAt: 1 });
  for (const filter of filters) {
    expect((await store.current(limited!, filter))?.contextId).toBe("viewed");
    expect((await store.current(unlimited!, filter))?.contextId).toBe("hidden99");
  }
  const all = plans();
  expect(all).toHaveLength(14);
  for (const plan of all) {
    const searches = plan.filter((step) => step.startsWith("SEARCH contexts") && !step.includes("PRIMARY KEY"));
    expect(searches.length).toBeGreaterThan(1);
    for (const search of searches)
      expect(search).toMatch(/ COVERING INDEX \S*_viewedAt_capturedAt_idx \(userId=\? AND .*privacyLevel=\? AND viewedAt[>=]\?\)$/);
    expect(plan.filter((step) => step.startsWith("SCAN contexts"))).toEqual([]);
  }
});

test("reads pages of history in the order of capture, and counts by an index alone", async () => {
  using opened = openStore();
  const { store, add, plans } = opened;
  for (let time = 0; time < 9; time++) add(`c${time}`, { level: time % 2 === 0 ? "private" : "restricted", capturedAt: time });
  for (const scope of [limited!, unlimited!])
    for (const filter of [{}, { privacyLevel: "private" as const }, { type: "page" as const }, { since: 1, until: 9 }])
      await store.history(scope, { ...filter, limit: 5, offset: 0 });
  const all = plans();
  const isCount = (plan: readonly string[]) => plan.length === 1 && plan[0]!.includes("COVERING");
  expect(all.filter(isCount)).toHaveLength(8);
  for (const plan of all.filter((each) => !isCount(each)))
    expect(plan).toEqual([expect.stringMatching(/_capturedAt_contextId_type_privacyLevel_idx \(userId=\?/)]);
});
