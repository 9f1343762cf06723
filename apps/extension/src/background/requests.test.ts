import { expect, test } from "vitest";
import { englishWords } from "../../test/english-words.js";
import { askedPages } from "../recording/recording-filter.js";
import { initialSettings, type Settings } from "../settings/settings.js";
import { answerRequests, type Requests } from "./requests.js";

const ready: Settings = { ...initialSettings, consent: { version: 1, at: 1 }, server: "https://periscope.example/api/v1", account: "a" };

/** What is done when a person presses the key to record a selection, or chooses it in the menu of a frame. */
async function recordSelection(settings: Partial<Settings>, answer: object, frameId?: number) {
  let press: ((command: string, tab: object) => void) | undefined;
  let click: ((clicked: object, tab: object) => void) | undefined;
  let asked = 0;
  const none = { addListener: () => {} };
  const api = {
    runtime: { onInstalled: none },
    contextMenus: { onClicked: { addListener: (listen: typeof click) => (click = listen) } },
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
    const tab = { id: 1, incognito: false, url: "https://diary.example/" };
    if (frameId === undefined) press?.("record-selection", tab);
    else click?.({ menuItemId: "selection", frameId }, tab);
  });
  return { asked, shown };
}

test.each<[string, Partial<Settings>]>([
  ["a blocked site", { sites: [{ site: "diary.example", rule: "blocked" }] }],
  ["a site that is not among the named", { siteMode: "only", sites: [{ site: "other.example", rule: "usual" }] }],
])("of %s nobody asks the page, and the badge says that nothing was recorded", async (_, settings) => {
  expect(await recordSelection(settings, { status: "queued" })).toEqual({ asked: 0, shown: "kept-out" });
});

test.each([
  [{ status: "queued" }, "recorded"],
  [{ status: "merged" }, "recorded"],
  [{ status: "blocked", rule: "page:editable" }, "kept-out"],
  [{ status: "blocked", rule: "not-switched-on:selection" }, "switched-off"],
  [{ status: "empty" }, "not-found"],
  [{ status: "unavailable" }, "failed"],
])("of the answer %j the badge says what became of it: %s", async (answer, shown) => {
  expect(await recordSelection({}, answer)).toEqual({ asked: 1, shown });
});

test("of a selection in a frame nobody asks the page, which has another one", async () => {
  expect(await recordSelection({}, { status: "queued" }, 7)).toEqual({ asked: 0, shown: "in-frame" });
  expect(await recordSelection({}, { status: "queued" }, 0)).toEqual({ asked: 1, shown: "recorded" });
});
