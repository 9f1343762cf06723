import { expect, test } from "vitest";
import { filterTabMetadata } from "./tab-metadata.js";

const tab = {
  id: "t1",
  url: "https://blog.example/post",
  title: "Mail jo@example.org",
  isActive: true,
  isLoading: false,
  windowId: 1,
  lastUpdated: "2026-01-31T12:00:00.000Z",
  incognito: false,
  pinned: true,
  audible: false,
  referrer: "https://forum.example/members/jo?page=2",
  favIconUrl: "https://blog.example/icon.png?user=7#top",
  openerTabId: "t0",
  lang: "en",
};

test("below filtered a tab keeps where it came from, and its icon", () => {
  expect(filterTabMetadata(tab, "public", {})).toEqual(tab);
  expect(filterTabMetadata(tab, "private", {})).toEqual({ ...tab, title: "Mail [REDACTED:email]" });
});

test("at filtered a referrer becomes its origin, and an icon loses its query", () => {
  expect(filterTabMetadata(tab, "filtered", {})).toEqual({
    ...tab,
    title: "Mail [REDACTED:email]",
    referrer: "https://forum.example",
    favIconUrl: "https://blog.example/icon.png",
  });
});

test("a referrer is dropped where its own site may not be stored, and held at the level of that site", () => {
  const policy = {
    blockedSites: ["diary.example", "example.com/private"],
    siteRules: [{ site: "wiki.example", level: "filtered" as const }],
  };
  const kept = (referrer: string) => filterTabMetadata({ ...tab, referrer }, "public", { policy }).referrer;
  for (const stored of ["https://diary.example/today", "https://example.com/private/1", "https://vault.bitwarden.com/#/vault"])
    expect(kept(stored)).toBeUndefined();
  for (const restricted of ["https://www.paypal.com/activity", "https://shop.example/checkout/payment?order=7"])
    expect(kept(restricted)).toBeUndefined();
  expect(kept("https://wiki.example/people/jo")).toBe("https://wiki.example");
  expect(kept("https://mail.google.com/mail/u/0")).toBe("https://mail.google.com");
  expect(kept("https://example.com/public")).toBe("https://example.com/public");
  expect(kept("")).toBeUndefined();
});

test("at restricted only what says nothing of the page is left", () => {
  const { id, isActive, isLoading, windowId, lastUpdated, incognito, pinned, audible } = tab;
  expect(filterTabMetadata(tab, "restricted", {})).toEqual({
    id,
    isActive,
    isLoading,
    windowId,
    lastUpdated,
    incognito,
    pinned,
    audible,
    url: "https://blog.example",
    title: "[REDACTED:title]",
  });
});

test("secrets are removed from every field of text and every address, at every level", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const url = `https://blog.example/post?token=${secret}`;
  const given = { ...tab, url, title: secret, referrer: url, favIconUrl: url, openerTabId: secret, lang: secret };
  for (const level of ["public", "private", "filtered", "restricted"] as const)
    expect(JSON.stringify(filterTabMetadata(given, level, {}))).not.toContain(secret);
});

test("fields that nobody knows are dropped", () => {
  expect(filterTabMetadata({ ...tab, note: "jo@example.org" } as typeof tab, "public", {})).not.toHaveProperty("note");
});
