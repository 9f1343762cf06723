import { send } from "../messages.js";
import { byId, onPress, say } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { type PageState, switchedOff } from "../recording/page-state.js";
import { originPattern } from "../sites/sites.js";
import { kindWords, raisedBy, stateWords } from "../words/state-words.js";
import { messageName, timeWords, type Words, type WordsName } from "../words/words.js";
import type { View } from "./view.js";

interface Said {
  tone: "good" | "wait" | "bad" | "off";
  icon: string;
  headline: string;
  more?: string;
}

const remedies: Partial<Record<PageState["is"], WordsName>> = {
  "waiting-for-consent": "doConsent",
  "no-server": "doServer",
  "no-access": "doAllow",
};

/** Says what happened to the page in front, and lets the person record it now. Returns how to show a view. */
export function pageCard({ api, sync, words, now }: PageContext, changed: () => Promise<void>): (view: View) => void {
  const remedy = byId("remedy", HTMLButtonElement);
  const record = byId("record", HTMLButtonElement);
  let view: View | undefined;
  let failed: string | undefined;

  onPress(remedy, async () => {
    if (view?.state?.is === "no-access" && view.page !== undefined) {
      await api.permissions.request({ origins: [originPattern(view.page.url)] });
      await changed();
      return;
    }
    await api.tabs.create({ url: api.runtime.getURL("welcome.html") });
    close();
  });
  onPress(record, async () => {
    if (view?.page === undefined) return;
    const { tabId, url } = view.page;
    const outcome = await send(api.runtime, "recordNow", { tabId }).catch(() => "failed" as const);
    failed = outcome === "recorded" || view.page?.url !== url ? undefined : words(messageName("outcome", outcome));
    if (outcome === "recorded") void sync.flush({ deadlineMs: 20_000 }).then(changed, () => {});
    await changed();
  });

  return (next) => {
    const { state, page, fact } = next;
    const isStoredNow = fact?.is === "stored" && view?.fact?.is !== "stored";
    if (isStoredNow || page?.url !== view?.page?.url) failed = undefined;
    view = next;
    const { tone, icon, headline, more } = wordsOfView(words, next, now());
    byId("fact").dataset["tone"] = tone;
    byId("fact-icon").className = `icon ${icon}`;
    say(byId("state"), headline);
    say(byId("page-title"), page?.title || page?.url || undefined);
    // What keeps a page out says more than that the press did nothing.
    say(byId("fact-more"), fact?.is === "kept-out" ? more : (failed ?? more));
    const todo = state === undefined ? undefined : remedies[state.is];
    say(remedy, todo === undefined ? undefined : words(todo));
    record.hidden = state?.is !== "recorded" && state?.is !== "no-access";
    record.classList.toggle("primary", fact?.is !== "stored" && fact?.is !== "waiting" && todo === undefined);
    byId("page-actions").hidden = todo === undefined && record.hidden;
  };
}

function wordsOfView(words: Words, { state, page, fact }: View, now: number): Said {
  if (fact === undefined || state === undefined) {
    const headline = state === undefined || state.is === "recorded" ? words("stateUnknown") : stateWords(words, state, now);
    const isOpen = state?.is === "no-access" || state?.is === "no-server" || state?.is === "waiting-for-consent";
    const icon = state?.is === "paused" ? "pause" : isOpen ? "alert" : "block";
    return { tone: isOpen ? "wait" : "off", icon, headline };
  }
  switch (fact.is) {
    case "stored":
    case "visit-stored": {
      const level = fact.level === undefined ? "" : words(messageName("level", fact.level));
      const raised = state.is === "recorded" ? raisedBy(state) : undefined;
      const parts = [page === undefined ? "" : new URL(page.url).hostname, timeWords(fact.at, now), level, raised ?? ""];
      return {
        tone: "good",
        icon: "check",
        headline: words(fact.is === "stored" ? "factStored" : "factVisitStored"),
        more: parts.filter((part) => part !== "").join(" · "),
      };
    }
    case "waiting":
      return { tone: "wait", icon: "clock", headline: words("factWaiting"), more: words("factWaitingMore") };
    case "refused":
      return { tone: "bad", icon: "alert", headline: words("factRefused"), more: fact.text };
    case "kept-out":
      if (fact.rule.startsWith(switchedOff))
        return { tone: "off", icon: "block", headline: words("factNotStored"), more: words("factSwitchedOff") };
      return { tone: "off", icon: "block", headline: words("factKeptOut"), more: words("factRule", kindWords(fact.rule)) };
    case "dropped":
      return { tone: "bad", icon: "alert", headline: words("factNotStored"), more: words("factDropped") };
    case "deleted":
      return { tone: "off", icon: "trash", headline: words("factDeleted") };
    case "not-seen": {
      const isLoading = fact.why === "loading";
      const headline = words(isLoading ? "factReading" : "factNotStored");
      return {
        tone: isLoading ? "wait" : "off",
        icon: isLoading ? "clock" : "block",
        headline,
        more: words(messageName("unseen", fact.why)),
      };
    }
  }
}
