import type { NewMessage } from "@periscope/sync/core";
import { expect, test } from "vitest";
import { initialSettings, type Settings } from "../settings/settings.js";
import { recordingFilter } from "./recording-filter.js";

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };

function page(url: string, more: { type?: "page" | "form"; content?: string } = {}): NewMessage {
  const { type = "page", content = "The lamp, ada@lamp.example" } = more;
  const tabMetadata = { id: "7", url, title: "Lamp" };
  return { type: "create", payload: { context: { type, tabId: "7", capturedAt: "2026-01-31T12:00:00Z", content, tabMetadata } } };
}

/** What becomes of a message under these settings. */
async function verdictOn(message: NewMessage, settings: Partial<Settings> = {}, hasAccess = (_url: string) => true) {
  const filter = recordingFilter({
    settings: async () => ({ ...ready, ...settings }),
    now: () => 0,
    hasAccess: async (url) => hasAccess(url),
  });
  return await filter(message);
}

test.each<[string, Partial<Settings>, string, string]>([
  ["waiting-for-consent", { consent: null }, "https://a.example/", "page"],
  ["off", { isRecording: false }, "https://a.example/", "page"],
  ["paused", { pausedUntil: 5 }, "https://a.example/", "page"],
  ["blocked", { sites: [{ site: "a.example", rule: "blocked" }] }, "https://sub.a.example/", "page"],
  ["not-listed", { siteMode: "only", sites: [{ site: "b.example", rule: "usual" }] }, "https://a.example/", "page"],
  ["not-switched-on:form", {}, "https://a.example/", "form"],
  ["not-a-web-page", {}, "file:///etc/passwd", "page"],
])("%s keeps a message from being stored", async (rule, settings, url, type) => {
  expect(await verdictOn(page(url, { type: type as "page" }), settings)).toEqual({ keep: false, rule });
});

test.each<[Partial<Settings>, string, string | undefined]>([
  [{}, "https://b.example/page", "https://b.example/page"],
  [{ sites: [{ site: "b.example", rule: "blocked" }] }, "https://b.example/page", undefined],
  [{ sites: [{ site: "b.example", rule: "filtered" }] }, "https://b.example/page", undefined],
  [{ siteMode: "only", sites: [{ site: "a.example", rule: "usual" }] }, "https://b.example/page", undefined],
  [{}, "https://periscope.example/explore", undefined],
  [{}, "https://denied.example/page", undefined],
  [{}, "android-app://org.example.mail/", undefined],
])("with %j the page before, %s, is kept as %s", async (settings, referrer, kept) => {
  const message = page("https://a.example/");
  if (message.type === "create") message.payload.context.tabMetadata.referrer = referrer;
  const verdict = await verdictOn(message, settings, (url) => !url.includes("denied"));
  expect(verdict).toMatchObject({ keep: true, message: { payload: { context: { tabMetadata: { id: "7" } } } } });
  const { tabMetadata } = (verdict as { message: Extract<NewMessage, { type: "create" }> }).message.payload.context;
  expect(tabMetadata.referrer).toBe(kept);
});

test("keeps not even the address of a page without access", async () => {
  expect(await verdictOn(page("https://a.example/"), {}, () => false)).toEqual({ keep: false, rule: "no-access" });
});

test.each([
  ["private", {}, "The lamp, ada@lamp.example"],
  ["filtered", { sites: [{ site: "a.example", rule: "filtered" as const }] }, "The lamp, [REDACTED:email]"],
  ["public", { level: "public" as const }, "The lamp, ada@lamp.example"],
  ["restricted", { level: "restricted" as const }, ""],
])("a page is kept at the level of its site, or the usual one: %s", async (privacyLevel, settings, content) => {
  const verdict = await verdictOn(page("https://a.example/"), settings);
  expect(verdict).toMatchObject({ keep: true, message: { payload: { context: { privacyLevel, content } } } });
});

test.each<[string, string, Settings["sites"]]>([
  ["restricted", "https://www.paypal.com/", [{ site: "paypal.com", rule: "filtered" }]],
  [
    "public",
    "https://articles.example/",
    [
      { site: "example", rule: "filtered" },
      { site: "articles.example", rule: "usual" },
    ],
  ],
])("is kept as %s: %s", async (privacyLevel, url, sites) => {
  const verdict = await verdictOn(page(url), { level: "public", sites });
  expect(verdict).toMatchObject({ keep: true, message: { payload: { context: { privacyLevel } } } });
});

test("filters an update at the level that the person chose", async () => {
  const context = { id: "c1", url: "https://a.example/", metadata: { description: "Write to ada@lamp.example", viewedMs: 5_000 } };
  const verdict = await verdictOn({ type: "update", payload: { context } }, { level: "filtered" });
  const metadata = { description: "Write to [REDACTED:email]", viewedMs: 5_000 };
  expect(verdict).toMatchObject({ keep: true, message: { payload: { context: { privacyLevel: "filtered", metadata } } } });
});
