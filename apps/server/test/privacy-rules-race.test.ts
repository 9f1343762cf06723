import { expect, it } from "vitest";
import { createMessage, updateMessage } from "./messages.js";
import { openSyncWorld } from "./sync-world.js";

const none = { blockedSites: [], siteRules: [], denyList: [] };
const start = Date.UTC(2026, 0, 31, 12);

type World = Awaited<ReturnType<typeof openSyncWorld>>;
const contentOf = async ({ storage, userId }: World, contextId: string) =>
  (await storage.contexts.find({ userId, maxPrivacyLevel: "restricted" }, contextId))?.content;

const page = (id: string, url: string) =>
  createMessage({
    context: { id, content: "Quill Vandermeer wrote it.", privacyLevel: "filtered", tabMetadata: { id: "7", url, title: "A page" } },
  });

it.each(["load", "commit"] as const)("applies rules that are set before the %s of a sync", async (place) => {
  await using world = await openSyncWorld();
  const { storage, userId, before } = world;
  before[place] = () => storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"], blockedSites: ["diary.example"] }, start);
  const sent = await world.send([page("a", "https://diary.example/"), page("b", "https://wiki.example/")]);
  expect(sent).toMatchObject({ synced: 1, failed: 1, results: [{ error: { code: "privacy_rejected" } }, { status: "success" }] });
  expect([await contentOf(world, "a"), await contentOf(world, "b")]).toEqual([undefined, "[REDACTED:denied] wrote it."]);
});

it("applies the rules of a user who was deleted and created again during a sync", async () => {
  await using world = await openSyncWorld();
  const { storage, userId, before } = world;
  await storage.rules.replace(userId, { ...none, denyList: ["somebody else"] }, start);
  before.load = async () => {
    await storage.access.deleteUser(userId);
    await storage.access.createUser(userId, start + 1);
    await storage.rules.replace(userId, { ...none, denyList: ["Quill Vandermeer"] }, start + 1);
  };
  await world.send([page("a", "https://wiki.example/")]);
  expect(await contentOf(world, "a")).toBe("[REDACTED:denied] wrote it.");
});

it("works changes out again when another process changes the data meanwhile", async () => {
  await using world = await openSyncWorld();
  const { storage, userId, before, calls } = world;
  await world.send([page("a", "https://wiki.example/")]);
  before.commit = () => storage.contexts.remove({ userId, maxPrivacyLevel: "restricted" }, "a", start);
  const update = updateMessage("a", { title: "New" }, { timestamp: "2026-01-31T12:00:09Z" });
  expect(await world.send([update])).toMatchObject({ failed: 1, results: [{ error: { code: "not_found" } }] });
  expect(calls).toEqual({ load: 3, commit: 3 });
});

it("is unauthorized when the user was deleted meanwhile", async () => {
  await using world = await openSyncWorld();
  world.before.load = () => world.storage.access.deleteUser(world.userId);
  await expect(world.send([page("a", "https://wiki.example/")])).rejects.toMatchObject({ code: "unauthorized" });
});
