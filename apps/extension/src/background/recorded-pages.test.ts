import { expect, test } from "vitest";
import { initialSettings, type Settings } from "../settings/settings.js";
import { recordedPages } from "./recorded-pages.js";

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };
const pdfs: Partial<Settings> = { readsPdfs: true };
const now = 1_000;

/** What decides about pages, with a tab that shows this, or lets nobody in. */
function pagesWith({
  settings = {},
  hasAccess = true,
  shows = "application/pdf",
}: {
  settings?: object;
  hasAccess?: boolean;
  shows?: string | undefined;
}) {
  return recordedPages({
    store: { read: async () => ({ ...ready, ...settings }) },
    permissions: { contains: async () => hasAccess },
    scripting: {
      async executeScript() {
        if (shows === "closed") throw new Error("Missing host permission for the tab");
        return [{ result: shows }];
      },
    } as unknown as Parameters<typeof recordedPages>[0]["scripting"],
    now: () => now,
    readPdf: async () => ({ content: "One lamp.", contentFormat: "text" }),
  });
}

test.each<[string, Partial<Settings>, boolean, { isViewed: boolean; isRead: boolean }]>([
  ["usually", {}, true, { isViewed: true, isRead: false }],
  ["when PDFs are switched on", pdfs, true, { isViewed: true, isRead: true }],
  ["without access to it", pdfs, false, { isViewed: false, isRead: false }],
  ["while pages are switched off", { ...pdfs, captures: { ...ready.captures, page: false } }, true, { isViewed: true, isRead: false }],
  ["of a blocked site", { ...pdfs, sites: [{ site: "a.example", rule: "blocked" }] }, true, { isViewed: false, isRead: false }],
  ["during a pause", { ...pdfs, pausedUntil: now + 1 }, true, { isViewed: false, isRead: false }],
  ["without consent", { ...pdfs, consent: null }, true, { isViewed: false, isRead: false }],
])("whether a page is viewed and read %s", async (_, settings, hasAccess, expected) => {
  const { isWanted, readPage } = pagesWith({ settings, hasAccess });
  const url = "https://a.example/lamp.pdf";
  const isRead = (await readPage({ url, tabId: "7" })) !== undefined;
  expect({ isViewed: await isWanted(url), isRead }).toEqual(expected);
});

test.each([
  ["application/pdf", true],
  ["text/html", false],
  ["closed", true],
])("whether a tab is loaded once more that shows %s: %s", async (shows, isRead) => {
  const { readPage } = pagesWith({ settings: pdfs, shows });
  expect((await readPage({ url: "https://a.example/lamp.pdf", tabId: "7" })) !== undefined).toBe(isRead);
});
