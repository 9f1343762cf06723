import type { PrivacyLevel } from "@periscope/privacy";
import type { PageState } from "../recording/page-state.js";
import { timeWords, type Words, type WordsName } from "./words.js";

/** Short names of the levels. */
export const levelNames: Readonly<Record<PrivacyLevel, WordsName>> = {
  public: "levelPublicShort",
  private: "levelPrivateShort",
  filtered: "levelFilteredShort",
  restricted: "levelRestrictedShort",
};

/** What the state of a page is, in a sentence. */
export function stateWords(words: Words, state: PageState, now: number): string {
  switch (state.is) {
    case "recorded": {
      const level = words(levelNames[state.level]);
      const category = state.reasons.find((reason) => reason.startsWith("category:"))?.slice("category:".length);
      // Where the category makes no difference it is no reason.
      const isRaised = state.level === "filtered" || state.level === "restricted";
      return category === undefined || !isRaised ? words("stateRecorded", level) : words("stateRecordedWhy", level, kindWords(category));
    }
    case "not-a-web-page":
      return words("stateNotWebPage");
    case "private-window":
      return words("statePrivateWindow");
    case "blocked":
      return words("stateBlocked", state.site);
    case "not-listed":
      return words("stateNotListed");
    case "password-manager":
      return words("statePasswordManager");
    case "no-access":
      return words("stateNoAccess");
    case "waiting-for-consent":
      return words("stateWaiting");
    case "no-server":
      return words("stateNoServer");
    case "off":
      return words("stateOff");
    case "paused":
      return words("statePaused", timeWords(state.until, now));
  }
}

/** The name of a kind or category, such as `us_ssn`, as it is read. */
export function kindWords(kind: string): string {
  return kind.replaceAll("_", " ");
}
