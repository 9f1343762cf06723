import { privacyLevels } from "@periscope/privacy";
import { byId, icon, make, onEvent, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { withSiteRule } from "../recording/policy.js";
import type { Settings, SiteRule } from "../settings/settings.js";
import { everySite, hostPatternsOf, readSite } from "../sites/sites.js";
import { messageName } from "../words/words.js";

const rules: readonly SiteRule[] = ["blocked", "usual", ...privacyLevels];

/** Which sites are recorded, and how much of them is kept. Returns how to show the settings. */
export function sitesSection({ api, store, words }: PageContext): (settings: Settings) => void {
  const input = byId("site", HTMLInputElement);
  const select = byId("site-rule", HTMLSelectElement);
  const outcome = byId("site-outcome");
  const list = byId("sites");
  const modes = { "all-but": byId("all-but", HTMLInputElement), only: byId("only", HTMLInputElement) } as const;
  const ruleWords = (rule: SiteRule) => words(messageName("level", rule));
  select.append(...rules.map((rule) => make("option", { value: rule }, ruleWords(rule))));

  for (const [siteMode, radio] of Object.entries(modes) as [Settings["siteMode"], HTMLInputElement][]) {
    onEvent(radio, "change", async () => {
      // The browser asks only in the very turn of the press. Without its leave the options say that it is missing.
      const asked = siteMode === "all-but" ? api.permissions.request({ origins: [...everySite] }) : undefined;
      await store.change((settings) => ({ ...settings, siteMode }));
      await asked;
    });
  }
  onEvent(byId("site-form", HTMLFormElement), "submit", async (event) => {
    event.preventDefault();
    input.focus();
    const site = readSite(input.value);
    const rule = rules.find((each) => each === select.value) ?? "blocked";
    outcome.textContent = site === undefined ? words("siteWrong", input.value.trim()) : "";
    if (site === undefined) return;
    const asked = modes.only.checked && rule !== "blocked" ? api.permissions.request({ origins: hostPatternsOf(site) }) : undefined;
    const added = await store.change((settings) => withSiteRule(settings, site, rule));
    await asked;
    if (added === undefined) outcome.textContent = words("sitesFull");
    else input.value = "";
  });

  return ({ siteMode, sites }) => {
    modes[siteMode].checked = true;
    list.hidden = sites.length === 0;
    list.replaceChildren(
      ...sites.map(({ site, rule }, index) => {
        const remove = make("button", { type: "button", class: "quiet square", "aria-label": words("siteRemove", site) }, icon("close"));
        onPress(remove, async () => {
          await store.change((settings) => withSiteRule(settings, site, undefined));
          const buttons = list.querySelectorAll("button");
          (buttons[Math.min(index, buttons.length - 1)] ?? input).focus();
        });
        const pill = make("span", { class: rule === "blocked" ? "pill bad" : "pill" }, ruleWords(rule));
        return make("li", {}, make("span", { class: "grow one-line" }, site), pill, remove);
      }),
    );
    byId("sites-empty").hidden = sites.length > 0;
    byId("sites-empty").textContent = words(siteMode === "only" ? "sitesEmptyOnly" : "sitesEmptyAllBut");
  };
}
