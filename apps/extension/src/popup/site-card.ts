import { classify, isAtMost, maxLevel, privacyLevels } from "@periscope/privacy";
import type { ForgetReport } from "../forget/forget.js";
import { send } from "../messages.js";
import { byId, make, onEvent, onPress, say } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { levelOf, siteRulesOf, withSiteLevel, withSiteRule } from "../recording/policy.js";
import type { Settings, SiteRule } from "../settings/settings.js";
import { coveringSite, hostPatternsOf, isWebPage, readSite } from "../sites/sites.js";
import { kindWords } from "../words/state-words.js";
import { messageName } from "../words/words.js";
import type { View } from "./view.js";

/** Level, blocking and unblocking of the site in front. Returns how to show a view. */
export function siteCard({ api, store, words }: PageContext, changed: () => Promise<void>): (view: View) => void {
  const block = byId("block");
  const ask = byId("block-ask");
  const outcome = byId("site-outcome");
  let site = "";
  /** The site that the question is about: the page may move on to another while it is open. */
  let asked = "";
  /** The listed site that keeps this one out. */
  let blockedBy: string | undefined;
  let isUnlisted = false;
  const setRule = (host: string, rule: SiteRule | undefined) => change((settings) => withSiteRule(settings, host, rule));

  const radios = privacyLevels.map((level) => {
    const radio = make("input", { type: "radio", name: "level", id: `level-${level}` });
    onEvent(radio, "change", () => change((settings) => withSiteLevel(settings, site, level)));
    return [level, radio] as const;
  });
  byId("level").append(...radios.map(([level, radio]) => make("label", {}, radio, make("span", {}, words(messageName("level", level))))));

  onPress(block, async () => {
    say(outcome, undefined);
    if (blockedBy !== undefined) return await setRule(blockedBy, undefined);
    if (!isUnlisted) return open(ask.hidden === true);
    // First of all: the browser asks only in the very turn of the press.
    const requested = api.permissions.request({ origins: hostPatternsOf(site) });
    await setRule(site, "usual");
    await requested;
    await changed();
  });
  onPress(byId("block-no"), () => open(false));
  onPress(byId("block-yes"), async () => {
    if (byId("block-forget", HTMLInputElement).checked) {
      say(outcome, words("forgetting"));
      const report = await send(api.runtime, "forgetSite", { site: asked }).catch(() => undefined);
      say(outcome, report === undefined ? words("troubleBackground") : reportWords(report));
      await changed();
    } else await setRule(asked, "blocked");
    open(false);
  });

  function open(isOpen: boolean): void {
    if (isOpen) asked = site;
    byId("block-question").textContent = words("blockAsk", asked);
    ask.hidden = !isOpen;
    block.setAttribute("aria-expanded", String(isOpen));
    (isOpen ? byId("block-yes") : block).focus();
  }

  async function change(edit: (settings: Settings) => Settings): Promise<void> {
    const set = await store.change(edit);
    say(outcome, set === undefined ? words("sitesFull") : undefined);
    await changed();
  }

  function reportWords(report: ForgetReport | "list-full"): string {
    if (report === "list-full") return words("sitesFull");
    const done = words("forgetDone", asked, report.waiting, report.deleted);
    return report.end === "done" ? done : `${done} ${words(messageName("forget", report.end))}`;
  }

  return ({ settings, page, state }) => {
    const isSite = page !== undefined && isWebPage(page.url) && !page.incognito && state?.is !== "waiting-for-consent";
    site = (isSite ? readSite(new URL(page.url).hostname) : undefined) ?? "";
    byId("site").hidden = site === "";
    if (page === undefined || site === "") return;
    blockedBy = coveringSite(siteRulesOf(settings).blocked, page.url);
    isUnlisted = state?.is === "not-listed";
    const isShut = blockedBy !== undefined || isUnlisted;
    byId("site-title").textContent = words("siteTitle", site);
    block.textContent = words(blockedBy !== undefined ? "unblock" : isUnlisted ? "recordSite" : "block");
    // It opens the question only where there is something to block.
    if (isShut) block.removeAttribute("aria-expanded");
    else block.setAttribute("aria-expanded", String(!ask.hidden));
    block.className = isShut ? "" : "quiet danger";
    const { level: least = "public", categories } = classify(page.url);
    const level = maxLevel(levelOf(settings, page.url), least);
    for (const [each, radio] of radios) {
      radio.checked = each === level;
      radio.disabled = !isAtMost(least, each);
    }
    byId("level").hidden = isShut;
    const why = level === "public" || level !== least ? "" : words("levelLeast", categories.map(kindWords).join(", "));
    say(byId("level-meaning"), isShut ? undefined : `${words(messageName("meaning", level))} ${why}`);
  };
}
