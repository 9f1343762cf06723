import "fake-indexeddb/auto";
import { openDB } from "idb";
import { expect, test, vi } from "vitest";
import { page, World } from "../../test/world.js";
import { idbStore } from "./index.js";
import { migrations, storeWith } from "./idb-store.js";

let names = 0;
const newName = () => `idb-store-${(names += 1)}`;

test("says at once where there is no IndexedDB", () => {
  const { indexedDB } = globalThis;
  Reflect.deleteProperty(globalThis, "indexedDB");
  try {
    expect(() => idbStore()).toThrow("There is no IndexedDB here");
  } finally {
    globalThis.indexedDB = indexedDB;
  }
});

test("F14: a write that is rolled back after its requests succeeded was not done", async () => {
  const name = newName();
  const { queue } = new World(idbStore({ name })).start();
  const first = await queue.enqueue(page());
  // As Chromium at its quota: the request's success comes first, and then the transaction's end.
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, ...row) {
    const request = this.add(...row);
    request.addEventListener("success", () => this.transaction.abort());
    return request;
  });
  expect(await queue.enqueue(page())).toEqual({ status: "dropped", reason: "storage-failed" });
  put.mockRestore();
  expect(first).toMatchObject({ status: "queued" });
  expect(await new World(idbStore({ name })).waiting()).toHaveLength(1);
});

test("F18: messages survive a migration that an older version does not block", async () => {
  const name = newName();
  const old = new World(idbStore({ name })).start();
  await old.queue.enqueue(page("kept"));
  const next = new World(storeWith([...migrations, (db) => db.createObjectStore("more")], { name }));
  expect(await next.drain(next.start())).toBe(1);
  expect([...next.service.stored.values()].map(({ json }) => json)).toEqual([expect.stringContaining("kept")]);
  // The older one says so and loses nothing that it had promised.
  expect(await old.queue.enqueue(page())).toEqual({ status: "dropped", reason: "storage-failed" });
  expect(old.events).toContainEqual({ type: "storage", error: expect.stringContaining("VersionError") });
});

test("F18: reports a database that does not open, and uses it once it opens", async () => {
  const name = newName();
  // An older program that does not let go.
  const stubborn = await openDB(name, 1, { upgrade: (db) => migrations[0]!(db, undefined as never) });
  const next = [...migrations, (db: Parameters<(typeof migrations)[0]>[0]) => void db.createObjectStore("more")];
  const { queue, events } = new World(storeWith(next, { name, openMs: 20 })).start();
  expect(await queue.enqueue(page())).toEqual({ status: "dropped", reason: "storage-failed" });
  expect(events[0]).toEqual({ type: "storage", error: expect.stringContaining("did not open in") });
  expect(await queue.flush()).toMatchObject({ endedBy: "storage-failed" });
  stubborn.close();
  await expect.poll(async () => (await queue.enqueue(page("later"))).status).toBe("queued");
});

test("a connection that was closed behind its back is opened again", async () => {
  const opened: IDBDatabase[] = [];
  const transaction = IDBDatabase.prototype.transaction;
  const spy = vi.spyOn(IDBDatabase.prototype, "transaction").mockImplementation(function (this: IDBDatabase, ...how) {
    opened.push(this);
    return transaction.apply(this, how);
  });
  const { queue } = new World(idbStore({ name: newName() })).start();
  await queue.enqueue(page());
  opened[0]!.close();
  expect(await queue.enqueue(page())).toMatchObject({ status: "queued" });
  expect(await queue.status()).toMatchObject({ waiting: 2 });
  spy.mockRestore();
});

test("F26: sends 2,000 queued messages in order in batches of up to 100", async () => {
  const world = new World(idbStore({ name: newName() }));
  const { queue } = world.start();
  for (let index = 0; index < 2_000; index += 1) await queue.enqueue(page(`${index}`, { id: `m${index}` }));
  await queue.flush();
  expect([...world.service.stored.keys()]).toEqual(Array.from({ length: 2_000 }, (_, index) => `m${index}`));
  expect(world.service.received.map(({ ids }) => ids.length)).toEqual(Array(20).fill(100));
});
