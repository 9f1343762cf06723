import { expect, test } from "vitest";
import { englishWords } from "../../test/english-words.js";
import { askedPages } from "../recording/recording-filter.js";
import { initialSettings, type Settings } from "../settings/settings.js";
import { answerRequests, type Requests } from "./requests.js";

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };

/** What is done when a person presses the key to record a selection. */
async function recordSelection(settings: Partial<Settings>, answer: object) {
  let press: ((command: string, tab: object) => void) | undefined;
  let asked = 0;
  const none = { addListener: () => {} };
  const api = {
    runtime: { onInstalled: none },
    contextMenus: { onClicked: none },
    commands: { onCommand: { addListener: (listen: typeof press) => (press = listen) } },
    tabs: { sendMessage: async () => ((asked += 1), { value: answer }) },
    scripting: { executeScript: async () => void (asked += 1) },
  } as unknown as Requests["api"];
  const current = { ...ready, ...settings };
  const shown = await new Promise<string>((resolve) => {
    answerRequests({
      api,
      store: { read: async () => current, change: async () => current },
      words: englishWords,
      now: () => 0,
      asked: askedPages(),
      show: async (outcome) => resolve(outcome),
    });
    press?.("record-selection", { id: 1, incognito: false, url: "https://diary.example/" });
  });
  return { asked, shown };
}

test.each<[string, Partial<Settings>]>([
  ["a blocked site", { sites: [{ site: "diary.example", rule: "blocked" }] }],
  ["a site that is not among the named", { siteMode: "only", sites: [{ site: "other.example", rule: "usual" }] }],
])("of %s nobody asks the page, and the badge says that nothing was recorded", async (_, settings) => {
  expect(await recordSelection(settings, { status: "queued" })).toEqual({ asked: 0, shown: "not-recorded" });
});

test.each([
  [{ status: "queued" }, "recorded"],
  [{ status: "merged" }, "recorded"],
  [{ status: "blocked" }, "not-recorded"],
  [{ status: "empty" }, "not-recorded"],
])("of the answer %j the badge says what became of it: %s", async (answer, shown) => {
  expect(await recordSelection({}, answer)).toEqual({ asked: 1, shown });
});
