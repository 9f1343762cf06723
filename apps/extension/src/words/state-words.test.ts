import { expect, test } from "vitest";
import { initialSettings, type Settings } from "../settings/settings.js";
import { englishWords } from "../../test/english-words.js";
import { badgeOf } from "../background/badge.js";
import { readTrouble, type TroubleStatus } from "./state-words.js";

const well: TroubleStatus = { waiting: 2, deadLetters: 0, blockedUntil: null, reason: "idle", lastErrorCode: null, unreported: {} };
const down: TroubleStatus = { ...well, reason: "backing-off", blockedUntil: 60_000 };
const server = "https://periscope.example/api/v1";

/** What is wrong at the start of time. */
function troubleWith(status: Partial<TroubleStatus>, { key = "psk_1", hasAccess = true } = {}) {
  const permissions = { contains: async () => hasAccess };
  return readTrouble(permissions, englishWords, { server, key, status: { ...well, ...status }, now: 0 });
}

test.each<[string, Partial<TroubleStatus>, boolean, string | undefined]>([
  ["all is well", {}, true, undefined],
  ["refused key", { reason: "auth", lastErrorCode: "key-refused" }, true, "refuses the key"],
  ["no key", {}, false, "There is no key"],
  ["no key when something was to be sent", { reason: "auth", lastErrorCode: "no-key" }, false, "There is no key"],
  ["nothing answers", { ...down, lastErrorCode: "network" }, true, "Is it running?"],
  ["too slow", { ...down, lastErrorCode: "timeout" }, true, "too slowly"],
  ["login page or wrong address", { ...down, lastErrorCode: "wrong-server" }, true, "login page"],
  ["server's trouble", { ...down, lastErrorCode: "service" }, true, "The server failed"],
  ["single messages", { ...down, lastErrorCode: "items" }, true, "could not take some pages yet"],
  ["a disk that fails", { ...down, lastErrorCode: "storage" }, true, "The disk fails"],
  ["a failure of its own", { ...down, lastErrorCode: "internal" }, true, "Sending fails"],
  ["a cause that an earlier version wrote", down, true, "Sending fails"],
  ["rate", { reason: "rate-limited", blockedUntil: 60_000 }, true, "asks to wait"],
  ["refused messages", { deadLetters: 3 }, true, "refused 3 messages"],
  ["full disk", { unreported: { "storage-failed": 1 } }, true, "disk is full"],
])("%s", async (_, status, hasKey, text) => {
  const trouble = await troubleWith(status, hasKey ? {} : { key: "" });
  expect(trouble?.text ?? "nothing").toContain(text ?? "nothing");
});

test.each<[string, Partial<TroubleStatus>]>([
  ["before anything is sent", { waiting: 0 }],
  ["when no answer comes", { ...down, lastErrorCode: "network" }],
])("says that there is no access to the server %s", async (_, status) => {
  expect(await troubleWith(status, { hasAccess: false })).toMatchObject({
    remedy: "allow",
    text: expect.stringContaining("No access to the server") as string,
  });
});

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server };

test.each<[string, Partial<Settings>, Partial<TroubleStatus>, string]>([
  ["well", {}, {}, ""],
  ["no consent", { consent: null }, {}, "?"],
  ["off", { isRecording: false }, {}, "off"],
  ["paused", { pausedUntil: 9 }, {}, "II"],
  ["key", {}, { reason: "auth" }, "key"],
  ["trouble", {}, { deadLetters: 1 }, "!"],
  ["a wait that ends by itself", {}, { reason: "rate-limited" }, ""],
])("the badge when %s", async (_, settings, status, text) => {
  const badge = badgeOf(englishWords, { ...ready, ...settings }, await troubleWith(status), 0);
  expect(badge.text).toBe(text);
  expect(badge.title).toMatch(/^Periscope: ./);
});

test("for a moment the badge shows an outcome", () => {
  expect(badgeOf(englishWords, ready, "recorded", 0).text).toBe("✓");
  expect(badgeOf(englishWords, ready, "not-found", 0)).toMatchObject({
    text: "–",
    title: expect.stringContaining("Not recorded") as string,
  });
});
