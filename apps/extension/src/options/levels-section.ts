import { type PrivacyLevel, privacyLevels } from "@periscope/privacy";
import { byId, make, onEvent } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import type { Settings } from "../settings/settings.js";
import { ifRefused } from "../settings/settings-store.js";
import { readSite } from "../sites/site-list.js";
import { levelNames } from "../words/state-words.js";
import type { WordsName } from "../words/words.js";
import { listEditor } from "./list-editor.js";

const meanings: Readonly<Record<PrivacyLevel, WordsName>> = {
  public: "levelPublic",
  private: "levelPrivate",
  filtered: "levelFiltered",
  restricted: "levelRestricted",
};

/** How much is kept, usually and of single sites. Returns how to show what is stored. */
export function levelsSection({ store, words }: PageContext, changed: () => Promise<void>) {
  const usual = byId("level", HTMLSelectElement);
  const site = byId("level-site", HTMLInputElement);
  const level = byId("site-level", HTMLSelectElement);
  const outcome = byId("level-outcome", HTMLElement);
  const levelIn = (select: HTMLSelectElement) => privacyLevels.find((level) => level === select.value) ?? "private";
  usual.append(...privacyLevels.map((level) => make("option", { value: level }, words(meanings[level]))));
  level.append(...privacyLevels.map((level) => make("option", { value: level }, words(levelNames[level]))));
  level.value = "filtered";
  const show = listEditor(words, {
    id: "levels",
    whenEmpty: "level-site",
    async remove(name) {
      await store.change((settings) => ({ ...settings, siteLevels: settings.siteLevels.filter(({ site }) => site !== name) }));
      await changed();
    },
  });

  onEvent(usual, "change", async () => {
    await store.change((settings) => ({ ...settings, level: levelIn(usual) }));
    await changed();
  });
  onEvent(byId("level-form", HTMLFormElement), "submit", async (event) => {
    event.preventDefault();
    const read = readSite(site.value);
    outcome.textContent = read === undefined ? words("siteWrong", site.value.trim()) : "";
    if (read !== undefined) {
      const added = await store
        .change((settings) => {
          const others = settings.siteLevels.filter((rule) => rule.site !== read);
          const siteLevels = [...others, { site: read, level: levelIn(level) }].toSorted((a, b) => (a.site < b.site ? -1 : 1));
          return { ...settings, siteLevels };
        })
        .catch(ifRefused);
      if (added === undefined) outcome.textContent = words("sitesFull");
      else site.value = "";
      await changed();
    }
    site.focus();
  });

  return ({ level, siteLevels }: Settings): void => {
    usual.value = level;
    show(siteLevels.map(({ site, level }) => ({ name: site, text: `${site}: ${words(levelNames[level])}` })));
    byId("levels-empty", HTMLElement).hidden = siteLevels.length > 0;
  };
}
