import { expect, test } from "vitest";
import { WriteBehind } from "./write-behind.js";

interface Note {
  key: string;
  at: number;
}

/** Notes whose writes fail while `isFull`. */
function startNotes() {
  const disk = { isFull: true, tries: 0, written: [] as Note[] };
  const notes = new WriteBehind<Note>({
    toKey: ({ key }) => key,
    merge: (one, other) => (other.at >= one.at ? other : one),
    async write(_, items) {
      disk.tries++;
      if (disk.isFull) throw new Error("The disk is full.");
      disk.written.push(...items);
    },
    onFailure: () => {},
  });
  return { disk, notes };
}

test("keeps what could not be written, and the latest of one key", async () => {
  const { disk, notes } = startNotes();
  notes.add("ada", { key: "a", at: 1 });
  const failing = notes.flush();
  notes.add("ada", { key: "a", at: 2 });
  await failing;
  expect(notes.waiting("ada")).toEqual([{ key: "a", at: 2 }]);
  disk.isFull = false;
  await notes.flush();
  expect(disk.written).toEqual([{ key: "a", at: 2 }]);
  expect(notes.waiting("ada")).toEqual([]);
});

test("tries again with the next flush only, and keeps a bounded number meanwhile", async () => {
  const { disk, notes } = startNotes();
  for (let at = 0; at < 12_000; at++) notes.add("ada", { key: String(at), at });
  await notes.flush();
  await notes.flush();
  const { tries } = disk;
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  expect(disk.tries).toBe(tries);
  for (let at = 0; at < 12_000; at++) notes.add("ada", { key: `more ${at}`, at });
  expect(notes.waiting("ada").length).toBeLessThanOrEqual(12_000);
});
