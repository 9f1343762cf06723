import { byId, onEvent } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import { type Settings, siteLists } from "../settings/settings.js";
import { ifRefused } from "../settings/settings-store.js";
import { everySite, hostPatternsOf } from "../sites/match-patterns.js";
import { readSite } from "../sites/site-list.js";
import { listEditor } from "./list-editor.js";

/** Which sites are recorded. Returns how to show what is stored. */
export function sitesSection({ api, store, words }: PageContext, changed: () => Promise<void>) {
  const input = byId("site", HTMLInputElement);
  const outcome = byId("site-outcome", HTMLElement);
  const modes = { "all-but": byId("all-but", HTMLInputElement), only: byId("only", HTMLInputElement) } as const;
  let isOnly = false;
  const listNow = (settings: Settings) => siteLists[settings.siteMode];
  const show = listEditor(words, {
    id: "sites",
    whenEmpty: "site",
    async remove(name) {
      await store.change((settings) => {
        const list = listNow(settings);
        return { ...settings, [list]: settings[list].filter((site) => site !== name) };
      });
      await changed();
    },
  });

  for (const [siteMode, radio] of Object.entries(modes) as [Settings["siteMode"], HTMLInputElement][]) {
    onEvent(radio, "change", async () => {
      // The browser asks only in the very turn of the press. Without its leave the options say that it is missing.
      const asked = siteMode === "all-but" ? api.permissions.request({ origins: [...everySite] }) : undefined;
      await store.change((settings) => ({ ...settings, siteMode }));
      await asked;
      await changed();
    });
  }

  onEvent(byId("site-form", HTMLFormElement), "submit", async (event) => {
    event.preventDefault();
    const site = readSite(input.value);
    if (site === undefined) {
      outcome.textContent = words("siteWrong", input.value.trim());
      input.focus();
      return;
    }
    const asked = isOnly ? api.permissions.request({ origins: hostPatternsOf(site) }) : undefined;
    let isKnown = false;
    const added = await store
      .change((settings) => {
        const list = listNow(settings);
        isKnown = settings[list].includes(site);
        return isKnown ? settings : { ...settings, [list]: [...settings[list], site].toSorted() };
      })
      .catch(ifRefused);
    await asked;
    if (added === undefined) {
      outcome.textContent = words("sitesFull");
      input.focus();
      return;
    }
    outcome.textContent = isKnown ? words("siteKnown", site) : "";
    input.value = "";
    input.focus();
    await changed();
  });

  return (settings: Settings): void => {
    const { siteMode, [listNow(settings)]: sites } = settings;
    isOnly = siteMode === "only";
    modes[siteMode].checked = true;
    show(sites.map((site) => ({ name: site, text: site })));
    const empty = byId("sites-empty", HTMLElement);
    empty.hidden = sites.length > 0;
    empty.textContent = words(isOnly ? "sitesEmptyOnly" : "sitesEmptyAllBut");
  };
}
