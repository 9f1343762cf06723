import type { NewMessage } from "@periscope/sync/core";
import { expect, test } from "vitest";
import { createPageNotes } from "./page-notes.js";

function message(type: "page" | "navigation" | "selection", url: string): NewMessage {
  const context = { id: `c-${type}`, type, tabId: "7", capturedAt: "2026-01-31T12:00:00Z", tabMetadata: { id: "7", url, title: "" } };
  return { id: `m-${type}`, type: "create", payload: { context } };
}

/** Notes of a background whose filter keeps addresses with `diary` in them out, by a rule of its own or since the site is blocked. */
function notesOf({ memoryFails = false, rule = "too_complex" } = {}) {
  const memory = new Map<string, unknown>();
  let close: ((tabId: number) => void) | undefined;
  const session = {
    get: async (key: string | null) => (key === null ? Object.fromEntries(memory) : { [key]: memory.get(key) }),
    async set(items: object) {
      if (memoryFails) throw new Error("QUOTA_BYTES quota exceeded");
      for (const [key, value] of Object.entries(items)) memory.set(key, value);
    },
    remove: async (key: string) => void memory.delete(key),
  };
  const api = { storage: { session }, tabs: { onRemoved: { addListener: (call: typeof close) => (close = call) } } };
  const notes = createPageNotes(api as unknown as Parameters<typeof createPageNotes>[0], () => 5);
  const filter = async (message: NewMessage) =>
    JSON.stringify(message).includes("diary") ? { keep: false as const, rule } : { keep: true as const, message };
  return { notes, take: notes.noting(filter), close: (tabId: number) => close?.(tabId) };
}

test("notes what the filter decided about a page, and what became of it", async () => {
  const { notes, take } = notesOf();
  await take(message("page", "https://a.example/"));
  expect(await notes.of(7)).toEqual({ url: "https://a.example/", at: 5, contextId: "c-page" });
  const settled = { id: "m", contextId: "c-page", status: "stored", privacyLevel: "filtered" } as const;
  await notes.settle(settled);
  await notes.settle({ ...settled, contextId: "another", privacyLevel: "public" });
  expect(await notes.of(7)).toMatchObject({ contextId: "c-page", settled });
  await take(message("page", "https://diary.example/"));
  expect(await notes.of(7)).toMatchObject({ url: "https://diary.example/", rule: "too_complex" });
  expect(await notes.of(8)).toBeUndefined();
});

test("a navigation or a selection does not replace the note of its page", async () => {
  const { notes, take } = notesOf();
  await take(message("navigation", "https://a.example/"));
  expect(await notes.of(7)).toMatchObject({ contextId: "c-navigation" });
  await take(message("page", "https://a.example/"));
  await take(message("navigation", "https://a.example/"));
  await take(message("selection", "https://a.example/"));
  expect(await notes.of(7)).toMatchObject({ contextId: "c-page" });
});

test("notes nothing of a page whose site is blocked", async () => {
  const { notes, take } = notesOf({ rule: "blocked" });
  await take(message("page", "https://diary.example/"));
  expect(await notes.of(7)).toBeUndefined();
});

test("forgets a tab that is closed", async () => {
  const { notes, take, close } = notesOf();
  await take(message("page", "https://a.example/"));
  close(7);
  await expect.poll(() => notes.of(7)).toBeUndefined();
});

test("notes nothing of a preview", async () => {
  const { notes, take } = notesOf();
  const { id: _, ...preview } = message("page", "https://a.example/");
  await take(preview);
  expect(await notes.of(7)).toBeUndefined();
});

test("a note that fails does not keep a page from being recorded", async () => {
  const { take } = notesOf({ memoryFails: true });
  expect(await take(message("page", "https://a.example/"))).toMatchObject({ keep: true });
});

test("finds the note of a page again in another tab or on return", async () => {
  const { notes, take } = notesOf();
  await take(message("page", "https://a.example/"));
  await take(message("navigation", "https://b.example/"));
  for (const tabId of ["7", "8"]) await take({ type: "heartbeat", payload: { contextId: "c-page", tabId } });
  for (const tabId of [7, 8]) expect(await notes.of(tabId)).toMatchObject({ url: "https://a.example/" });
});

test("keeps what became of two pages that are told at once", async () => {
  const { notes, take } = notesOf();
  await take(message("navigation", "https://a.example/"));
  await take(message("page", "https://b.example/"));
  const refused = { status: "refused", code: "validation_error", message: "too long" } as const;
  await Promise.all(["navigation", "page"].map((type) => notes.settle({ id: `m-${type}`, contextId: `c-${type}`, ...refused })));
  expect(await notes.of(7)).toMatchObject({ contextId: "c-page", settled: refused });
  await take({ type: "heartbeat", payload: { contextId: "c-navigation", tabId: "7" } });
  expect(await notes.of(7)).toMatchObject({ contextId: "c-navigation", settled: refused });
});
