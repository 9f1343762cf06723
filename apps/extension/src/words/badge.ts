import { haltOf } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import type { Trouble } from "./trouble.js";
import { timeWords, type Words } from "./words.js";

/** What the button in the toolbar shows: nothing while all is well. */
export interface Badge {
  text: string;
  color: string;
  title: string;
}

/** What became of something that a person asked to be recorded. */
export type Outcome = "recorded" | "not-recorded";

const green = "#1e6b34";
const grey = "#5f6368";
const amber = "#8a5300";
const red = "#b3261e";

/** The badge for what holds now, or for a moment for an outcome. Its title says the same in words, for whoever does not see it. */
export function badgeOf(words: Words, settings: Settings, news: Trouble | Outcome | undefined, now: number): Badge {
  const halt = haltOf(settings, now);
  switch (halt?.is) {
    case "waiting-for-consent":
      return { text: "?", color: amber, title: words("badgeConsent") };
    case "off":
      return { text: "off", color: grey, title: words("badgeOff") };
    case "paused":
      return { text: "II", color: grey, title: words("badgePaused", timeWords(halt.until, now)) };
    case "no-server":
      return { text: "?", color: amber, title: words("badgeServer") };
    case undefined:
      break;
  }
  if (news === "recorded") return { text: "✓", color: green, title: words("badgeRecorded") };
  if (news === "not-recorded") return { text: "–", color: amber, title: words("badgeNotRecorded") };
  if (news?.weight === "auth") return { text: "key", color: red, title: words("badgeAuth") };
  if (news?.weight === "error") return { text: "!", color: red, title: words("badgeError") };
  return { text: "", color: grey, title: words("badgeOk") };
}
