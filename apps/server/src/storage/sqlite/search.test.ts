import { describe, expect, test } from "vitest";
import { openSearchFixture, type SearchFixture, user } from "./search-fixture.js";
import { SearchThread, SearchTimeout } from "./search-thread.js";
import { createSqliteSearch } from "./search.js";

const everything = { userId: user, maxPrivacyLevel: "restricted" } as const;
const requestOf = (...words: string[]) => ({ query: words.join(" "), limit: 1000, offset: 0 });

async function find({ store, index }: SearchFixture, ...words: string[]): Promise<string[]> {
  await index();
  const { results } = await store.search(everything, requestOf(...words));
  return results.map(({ contextId }) => contextId).toSorted();
}

describe("the index follows the rows", () => {
  test("update, of searched columns and of others", async () => {
    await using fixture = openSearchFixture();
    fixture.add({ contextId: "a", title: "first", content: "tea" }, { contextId: "b", content: "tea" });
    fixture.db.exec(`UPDATE contexts SET title = 'second', content = 'coffee', privacyLevel = 'public' WHERE contextId = 'a'`);
    expect(await find(fixture, "second")).toEqual(["a"]);
    expect(await find(fixture, "coffee")).toEqual(["a"]);
    expect(await find(fixture, "first")).toEqual([]);
    expect(await find(fixture, "tea")).toEqual(["b"]);
    fixture.db.exec(`UPDATE contexts SET lastSeenAt = 5, title = title`);
    expect(await find(fixture, "tea")).toEqual(["b"]);
    fixture.db.exec(`UPDATE contexts SET plainText = 'juice', metadata = '{"k":"milk"}', tabMetadata = '{"lang":"water"}'`);
    for (const word of ["juice", "milk", "water"]) expect(await find(fixture, word)).toEqual(["a", "b"]);
    expect(await find(fixture, "tea")).toEqual([]);
  });

  test("moving a context to another user", async () => {
    await using fixture = openSearchFixture();
    fixture.add({ contextId: "a", userId: "usr_b", content: "tea" });
    expect(await find(fixture, "tea")).toEqual([]);
    fixture.db.prepare("UPDATE contexts SET userId = ?").run(user);
    expect(await find(fixture, "tea")).toEqual(["a"]);
    expect((await fixture.store.search({ ...everything, userId: "usr_b" }, requestOf("tea"))).total).toBe(0);
  });

  test("delete of one, of a user, of all, rolled back and not", async () => {
    await using fixture = openSearchFixture();
    for (let index = 0; index < 50; index++)
      fixture.add({ contextId: `a${index}`, content: "tea" }, { contextId: `b${index}`, userId: "usr_b", content: "tea" });
    fixture.db.exec("DELETE FROM contexts WHERE contextId = 'a7'");
    expect(await find(fixture, "tea")).toHaveLength(49);
    fixture.db.exec("BEGIN; DELETE FROM contexts; ROLLBACK");
    expect(await find(fixture, "tea")).toHaveLength(49);
    fixture.db.exec("DELETE FROM contexts WHERE userId = 'usr_b'");
    expect(await find(fixture, "tea")).toHaveLength(49);
    expect((await fixture.store.search({ ...everything, userId: "usr_b" }, requestOf("tea"))).total).toBe(0);
    fixture.db.exec("DELETE FROM contexts");
    expect(fixture.db.prepare("SELECT count(*) FROM search_index WHERE search_index MATCH 'tea'").pluck().get()).toBe(0);
  });

  test("upsert and REPLACE", async () => {
    await using fixture = openSearchFixture();
    fixture.add({ contextId: "a", content: "tea" });
    const columns =
      "userId, contextId, type, tabId, extensionId, capturedAt, privacyLevel, writtenAt, contentFormat, url, title, tabMetadata, metadata, content";
    const values = `'${user}', 'a', 'page', 't', 'e', 1, 'private', 1, 'text', 'u', '', '{}', '{}'`;
    fixture.db.exec(`INSERT INTO contexts (${columns}) VALUES (${values}, 'coffee') ON CONFLICT DO UPDATE SET content = excluded.content`);
    expect([await find(fixture, "tea"), await find(fixture, "coffee")]).toEqual([[], ["a"]]);
    fixture.db.exec(`REPLACE INTO contexts (${columns}) VALUES (${values}, 'juice')`);
    expect([await find(fixture, "coffee"), await find(fixture, "juice")]).toEqual([[], ["a"]]);
    fixture.db.exec(`REPLACE INTO contexts (seq, ${columns}) SELECT seq, ${values}, 'milk' FROM contexts`);
    expect([await find(fixture, "juice"), await find(fixture, "milk")]).toEqual([[], ["a"]]);
  });

  test("broken JSON in a row does not stop its writing", async () => {
    await using fixture = openSearchFixture();
    fixture.add({ contextId: "a", content: "tea" });
    fixture.db.exec(`UPDATE contexts SET metadata = '{', tabMetadata = '[1'`);
    fixture.db.exec(`UPDATE contexts SET content = 'coffee'`);
    expect(await find(fixture, "coffee")).toEqual(["a"]);
  });
});

describe("threads", () => {
  const many = (fixture: SearchFixture, userId = user) => {
    for (let round = 0; round < 20; round++)
      fixture.add(
        ...Array.from({ length: 500 }, (_, index) => ({
          userId,
          contextId: `${userId}-${round}-${index}`,
          content: `tea coffee ${"milk ".repeat(index % 20)}`,
        })),
      );
  };

  test("a search past its time is unavailable, its thread is stopped, and the next one works", async () => {
    await using fixture = openSearchFixture();
    many(fixture);
    fixture.add({ contextId: "rare", content: "axolotl" });
    const bounds = { totalMax: 10_000, snippetCharsMax: 240 };
    const thread = new SearchThread({ file: fixture.file, bounds });
    // Ranking ten thousand rows takes tens of milliseconds.
    const slow = thread.run({ scope: everything, request: requestOf("tea", "coffee", "milk") }, 1);
    await expect(slow).rejects.toBeInstanceOf(SearchTimeout);
    await thread.ended;

    const short = createSqliteSearch({ file: fixture.file, timeoutMs: 1, threadsMax: 1 });
    for (let round = 0; round < 3; round++)
      await expect(short.search(everything, requestOf("tea", "coffee", "milk"))).rejects.toMatchObject({
        code: "unavailable",
        extra: { retryAfterSeconds: 1 },
      });
    await short[Symbol.asyncDispose]();
    expect(await find(fixture, "axolotl")).toEqual(["rare"]);
  });

  test("a thread that is ended while it starts ends alone", async () => {
    await using fixture = openSearchFixture();
    const bounds = { totalMax: 10_000, snippetCharsMax: 240 };
    // One of them never opens its database.
    for (const file of [fixture.file, fixture.file, "/nowhere/at.all"]) {
      const thread = new SearchThread({ file, bounds });
      await thread.end();
      await expect(thread.ended).resolves.toBeUndefined();
    }
  });

  test("a failed search costs only itself", async () => {
    await using fixture = openSearchFixture();
    fixture.add({ contextId: "a", content: "tea" });
    expect(await find(fixture, "tea")).toEqual(["a"]);
    fixture.db.exec("ALTER TABLE search_vectors RENAME TO elsewhere");
    await expect(fixture.store.search(everything, requestOf("tea"))).rejects.toThrow(/search_vectors/);
    fixture.db.exec("ALTER TABLE elsewhere RENAME TO search_vectors");
    expect(await find(fixture, "tea")).toEqual(["a"]);
  });

  test("what is written is found at once, by every thread", async () => {
    await using fixture = openSearchFixture({ threadsMax: 3 });
    for (let round = 1; round <= 10; round++) {
      fixture.add({ content: "tea" });
      const totals = await Promise.all(Array.from({ length: 6 }, () => fixture.store.search(everything, requestOf("tea"))));
      expect(totals.map(({ total }) => total)).toEqual(Array.from({ length: 6 }, () => round));
    }
  });

  test("one user's many searches do not keep another's waiting to the last", async () => {
    await using fixture = openSearchFixture({ threadsMax: 1 });
    many(fixture);
    fixture.add({ userId: "usr_b", content: "tea" });
    const order: string[] = [];
    const heavy = Array.from({ length: 10 }, () => fixture.store.search(everything, requestOf("tea")).then(() => order.push("a")));
    const light = fixture.store.search({ ...everything, userId: "usr_b" }, requestOf("tea")).then(() => order.push("b"));
    await Promise.all([...heavy, light]);
    expect(order.indexOf("b")).toBeLessThan(3);
  });

  test("more than may wait are refused, and so is everything after the end", async () => {
    await using fixture = openSearchFixture({ threadsMax: 1, waitingMax: 2 });
    fixture.add({ content: "tea" });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => fixture.store.search(everything, requestOf("tea"))));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected", "rejected"]);
    const other = createSqliteSearch({ file: fixture.file, timeoutMs: 1000 });
    const interrupted = other.search(everything, requestOf("tea")).catch((error: unknown) => error);
    await other[Symbol.asyncDispose]();
    expect([expect.objectContaining({ total: 1 }), expect.objectContaining({ code: "unavailable" })]).toContainEqual(await interrupted);
    await expect(other.search(everything, requestOf("tea"))).rejects.toMatchObject({ code: "unavailable" });
  });

  test("a missing database is unavailable, not a crash", async () => {
    await using search = createSqliteSearch({ file: "/nonexistent/periscope.db", timeoutMs: 20_000 });
    await expect(search.search(everything, requestOf("tea"))).rejects.toMatchObject({ code: "unavailable" });
    await expect(search.search(everything, requestOf("tea"))).rejects.toMatchObject({ code: "unavailable" });
  });
});
