import type { PrivacyLevel } from "@periscope/privacy";
import type { PageState } from "../recording/page-state.js";
import { timeWords, type Words, type WordsName } from "./words.js";

/** Short names of the levels. */
export const levelNames: Readonly<Record<PrivacyLevel, WordsName>> = {
  public: "levelPublic",
  private: "levelPrivate",
  filtered: "levelFiltered",
  restricted: "levelRestricted",
};

/** What is removed at each level. */
export const levelMeanings: Readonly<Record<PrivacyLevel, WordsName>> = {
  public: "levelPublicMeaning",
  private: "levelPrivateMeaning",
  filtered: "levelFilteredMeaning",
  restricted: "levelRestrictedMeaning",
};

const states: Readonly<Record<Exclude<PageState["is"], "recorded" | "blocked" | "paused">, WordsName>> = {
  "not-a-web-page": "stateNotWebPage",
  "private-window": "statePrivateWindow",
  "not-listed": "stateNotListed",
  "password-manager": "statePasswordManager",
  "no-access": "stateNoAccess",
  "waiting-for-consent": "stateWaiting",
  "no-server": "stateNoServer",
  off: "stateOff",
};

/** Why a page is not recorded, in a sentence. */
export function stateWords(words: Words, state: Exclude<PageState, { is: "recorded" }>, now: number): string {
  if (state.is === "blocked") return words("stateBlocked", state.site);
  if (state.is === "paused") return words("statePaused", timeWords(state.until, now));
  return words(states[state.is]);
}

/** The category of a page that raised its level, such as `banking`. */
export function raisedBy(state: Extract<PageState, { is: "recorded" }>): string | undefined {
  const category = state.reasons.find((reason) => reason.startsWith("category:"))?.slice("category:".length);
  const isRaised = state.level === "filtered" || state.level === "restricted";
  return category === undefined || !isRaised ? undefined : kindWords(category);
}

/** The name of a kind or category, such as `us_ssn`, as it is read. */
export function kindWords(kind: string): string {
  return kind.replaceAll(/[_:-]/g, " ");
}
