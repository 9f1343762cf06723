import type { ExtensionApi } from "../extension-api.js";
import type { Settings } from "../settings/settings.js";
import { everySite, matchPatternsOf } from "../sites/sites.js";
import { haltOf } from "./page-state.js";
import { siteRulesOf } from "./policy.js";

type PageScript = chrome.scripting.RegisteredContentScript;

const scriptId = "recorder";
export const scriptFile = "content.js";

/** The script that is to be in pages now; undefined before consent, and while nothing is recorded: then no page has any. */
export function wantedScript(settings: Settings, now: number): PageScript | undefined {
  if (haltOf(settings, now) !== undefined) return undefined;
  const { blocked, recorded } = siteRulesOf(settings);
  const matches = settings.siteMode === "only" ? recorded.flatMap(matchPatternsOf) : [...everySite];
  if (matches.length === 0) return undefined;
  const excludeMatches = blocked.flatMap(matchPatternsOf);
  return {
    id: scriptId,
    js: [scriptFile],
    matches,
    ...(excludeMatches.length > 0 && { excludeMatches }),
    // One that is still being sent, or waits for a picture, never comes to the end.
    runAt: "document_start",
    allFrames: false,
    persistAcrossSessions: true,
  };
}

/** Brings what is registered in line with the settings; what is right already is left alone. The browser itself keeps it out of sites that it was not let into. */
export async function registerPageScript(scripting: ExtensionApi["scripting"], wanted: PageScript | undefined): Promise<void> {
  const found = await scripting.getRegisteredContentScripts({ ids: [scriptId] });
  if (wanted === undefined ? found.length === 0 : found.some((each) => isSame(each, wanted))) return;
  if (found.length > 0) await scripting.unregisterContentScripts({ ids: [scriptId] });
  if (wanted !== undefined) await scripting.registerContentScripts([wanted]);
}

function isSame(found: PageScript, wanted: PageScript): boolean {
  const sorted = (patterns: readonly string[] | undefined) => JSON.stringify([...(patterns ?? [])].toSorted());
  const isOfSites = sorted(found.matches) === sorted(wanted.matches) && sorted(found.excludeMatches) === sorted(wanted.excludeMatches);
  return found.runAt === wanted.runAt && isOfSites;
}
