import { privacyLevels } from "@periscope/privacy";
import { expect, test } from "vitest";
import { initialSettings, type Settings } from "../settings/settings.js";
import { wantedScript } from "./page-scripts.js";
import { asksForConsent, pageState, recordingOf } from "./page-state.js";
import { withSiteLevel } from "./policy.js";

const now = 1_000_000;
const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };
const article = { url: "https://articles.example/lamp", incognito: false, hasAccess: true };

test.each<[string, Partial<Settings>, Partial<typeof article>, object]>([
  ["recorded", {}, {}, { is: "recorded", level: "private" }],
  ["recorded at its site's level", { sites: [{ site: "articles.example", rule: "filtered" }] }, {}, { is: "recorded", level: "filtered" }],
  [
    "recorded below the usual level, if its site says so",
    { sites: [{ site: "articles.example", rule: "public" }] },
    {},
    { level: "public" },
  ],
  [
    "restricted by its kind, whatever the rule of its site",
    { sites: [{ site: "paypal.com", rule: "filtered" }] },
    { url: "https://www.paypal.com/" },
    { level: "restricted", reasons: ["category:payments"] },
  ],
  [
    "recorded at the usual level within a site that has another",
    {
      sites: [
        { site: "example", rule: "filtered" },
        { site: "articles.example", rule: "usual" },
      ],
    },
    {},
    { is: "recorded", level: "private" },
  ],
  ["restricted by its kind", {}, { url: "https://www.paypal.com/" }, { is: "recorded", level: "restricted" }],
  ["before consent", { consent: null }, {}, { is: "waiting-for-consent" }],
  ["consent to less than is sent now", { consent: { version: 0, at: 1 } }, {}, { is: "waiting-for-consent" }],
  ["private window", {}, { incognito: true }, { is: "private-window" }],
  ["page of the browser", {}, { url: "chrome://settings" }, { is: "not-a-web-page" }],
  ["file", {}, { url: "file:///etc/passwd" }, { is: "not-a-web-page" }],
  ["no address", {}, { url: "" }, { is: "not-a-web-page" }],
  ["blocked", { sites: [{ site: "articles.example", rule: "blocked" }] }, {}, { is: "blocked", site: "articles.example" }],
  ["below a blocked one", { sites: [{ site: "example", rule: "blocked" }] }, {}, { is: "blocked", site: "example" }],
  ["blocked in another path", { sites: [{ site: "articles.example/diary", rule: "blocked" }] }, {}, { is: "recorded" }],
  ["not among the named", { siteMode: "only", sites: [{ site: "other.example", rule: "usual" }] }, {}, { is: "not-listed" }],
  [
    "blocked, and below one that is named",
    {
      siteMode: "only",
      sites: [
        { site: "example", rule: "usual" },
        { site: "articles.example", rule: "blocked" },
      ],
    },
    {},
    { is: "blocked" },
  ],
  ["among the named", { siteMode: "only", sites: [{ site: "articles.example", rule: "usual" }] }, {}, { is: "recorded" }],
  ["a page of the server", {}, { url: "https://periscope.example/explore" }, { is: "own-server" }],
  [
    "a page of the server under another name",
    { server: "http://localhost:3000/api/v1" },
    { url: "http://127.0.0.1:3000/" },
    { is: "own-server" },
  ],
  ["another port of the server", {}, { url: "https://periscope.example:8443/" }, { is: "recorded" }],
  ["password manager", {}, { url: "https://vault.bitwarden.com/" }, { is: "password-manager" }],
  ["off", { isRecording: false }, {}, { is: "off" }],
  ["paused", { pausedUntil: now + 1 }, {}, { is: "paused", until: now + 1 }],
  ["a pause that is over", { pausedUntil: now }, {}, { is: "recorded" }],
  ["no server", { server: "" }, {}, { is: "no-server" }],
  ["no access", {}, { hasAccess: false }, { is: "no-access" }],
])("%s", (_, settings, page, state) => {
  expect(pageState({ ...ready, ...settings }, { ...article, ...page }, now)).toMatchObject(state);
});

test.each<[Settings["siteMode"], Settings["sites"]]>([
  ["all-but", []],
  ["all-but", [{ site: "example", rule: "restricted" }]],
  ["only", [{ site: "example", rule: "restricted" }]],
])("a person can choose every level where %s are recorded and %j is set", (siteMode, sites) => {
  for (const level of privacyLevels) {
    const settings = withSiteLevel({ ...ready, siteMode, sites }, "articles.example", level);
    expect(pageState(settings, article, now)).toMatchObject({ is: "recorded", level });
  }
});

test.each([
  ["install", null, true],
  ["install", 1, false],
  ["update", null, false],
  ["update", 0, true],
  ["update", 1, false],
  ["chrome_update", null, false],
  ["chrome_update", 0, false],
] as const)("at %s with consent to version %s the page of the consent opens by itself: %s", (reason, version, opens) => {
  expect(asksForConsent(reason, { ...ready, consent: version === null ? null : { version, at: 1 } })).toBe(opens);
});

test("puts no script into pages before consent or while paused", () => {
  for (const settings of [{ consent: null }, { isRecording: false }, { pausedUntil: now + 1 }, { siteMode: "only" as const }]) {
    expect(wantedScript({ ...ready, ...settings }, now)).toBeUndefined();
  }
});

test("excludes blocked sites, and limits the script to named sites", () => {
  expect(
    wantedScript(
      {
        ...ready,
        sites: [
          { site: "diary.example", rule: "blocked" },
          { site: "other.example", rule: "filtered" },
        ],
      },
      now,
    ),
  ).toMatchObject({
    matches: ["http://*/*", "https://*/*"],
    excludeMatches: ["*://*.diary.example/*"],
  });
  const only = wantedScript(
    {
      ...ready,
      siteMode: "only",
      sites: [
        { site: "127.0.0.1", rule: "usual" },
        { site: "a.example/b", rule: "public" },
        { site: "c.example", rule: "blocked" },
      ],
    },
    now,
  );
  expect(only?.matches).toEqual(["*://*.a.example/b", "*://*.a.example/b/*", "*://*.a.example/b?*", "*://127.0.0.1/*"]);
  expect(only?.excludeMatches).toEqual(["*://*.c.example/*"]);
});

test("records articles, whole pages or nothing as chosen", () => {
  const paused = { ...ready, pausedUntil: now + 1, captures: { ...ready.captures, form: true } };
  const whole = { ...ready, keepsWholePages: true };
  const none = { ...whole, captures: { ...ready.captures, page: false } };
  expect(recordingOf(ready, now)).toEqual({ mode: "article", form: false });
  expect(recordingOf(whole, now)).toEqual({ mode: "whole", form: false });
  for (const each of [paused, none]) expect(recordingOf(each, now)).toEqual({ mode: "off", form: false });
});
