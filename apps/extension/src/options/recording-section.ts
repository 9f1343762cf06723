import { byId, onEvent, onPress } from "../pages/elements.js";
import type { PageContext } from "../pages/page-context.js";
import type { Captures, Settings } from "../settings/settings.js";
import { everySite, hostPatternsOf } from "../sites/match-patterns.js";

const captures = ["page", "navigation", "selection", "element", "media", "form"] as const satisfies readonly (keyof Captures)[];

/** The switches of what is recorded, and whether the browser lets the extension into the pages. Returns how to show what is stored. */
export function recordingSection({ api, store, words }: PageContext, changed: () => Promise<void>) {
  const isRecording = byId("is-recording", HTMLInputElement);
  const access = byId("access", HTMLElement);
  let wanted: string[] = [];

  onEvent(isRecording, "change", async () => {
    await store.change((settings) => ({ ...settings, isRecording: isRecording.checked }));
    await changed();
  });
  for (const name of captures) {
    const box = byId(`capture-${name}`, HTMLInputElement);
    onEvent(box, "change", async () => {
      await store.change((settings) => ({ ...settings, captures: { ...settings.captures, [name]: box.checked } }));
      await changed();
    });
  }
  onPress(byId("allow", HTMLButtonElement), async () => {
    const isAllowed = await api.permissions.request({ origins: wanted });
    byId("access-outcome", HTMLElement).textContent = isAllowed ? "" : words("accessRefused");
    await changed();
  });

  return async (settings: Settings): Promise<void> => {
    isRecording.checked = settings.isRecording;
    for (const name of captures) byId(`capture-${name}`, HTMLInputElement).checked = settings.captures[name];
    wanted = settings.siteMode === "only" ? settings.onlySites.flatMap(hostPatternsOf) : [...everySite];
    access.hidden = settings.consent === null || wanted.length === 0 || (await api.permissions.contains({ origins: wanted }));
  };
}
