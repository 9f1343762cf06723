import { haltOf } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import type { Trouble } from "./trouble.js";
import { timeWords, type Words } from "./words.js";

/** What the button in the toolbar shows: nothing while all is well. */
export interface Badge {
  text: string;
  color: string;
  /** The same in words, for whoever does not see the badge. */
  title: string;
}

/** What became of something that a person asked to be recorded. */
export type Outcome = "recorded" | "not-recorded";

const green = "#18794e";
const grey = "#5f6570";
const amber = "#8f4e00";
const red = "#c62a2f";

/** The badge of all tabs, or for a moment that of an outcome. */
export function badgeOf(words: Words, settings: Settings, news: Trouble | Outcome | undefined, now: number): Badge {
  const halt = haltOf(settings, now);
  if (halt?.is === "waiting-for-consent") return { text: "?", color: amber, title: words("badgeConsent") };
  if (halt?.is === "off") return { text: "off", color: grey, title: words("badgeOff") };
  if (halt?.is === "paused") return { text: "II", color: grey, title: words("badgePaused", timeWords(halt.until, now)) };
  if (halt?.is === "no-server") return { text: "?", color: amber, title: words("badgeServer") };
  if (news === "recorded") return { text: "✓", color: green, title: words("badgeRecorded") };
  if (news === "not-recorded") return { text: "–", color: amber, title: words("badgeNotRecorded") };
  if (news?.weight === "auth") return { text: "key", color: red, title: words("badgeAuth") };
  if (news?.weight === "error") return { text: "!", color: red, title: words("badgeError") };
  return { text: "", color: grey, title: words("badgeOk") };
}

/** The badge of a tab whose site is blocked. */
export const blockedBadge = (words: Words, site: string): Badge => ({ text: "⊘", color: grey, title: words("badgeBlocked", site) });
