import type { ExtensionApi } from "../extension-api.js";
import type { Settings } from "../settings/settings.js";
import { everySite, matchPatternsOf } from "../sites/match-patterns.js";
import { haltOf } from "./page-state.js";
import { siteRulesOf } from "./policy.js";

/** A content script as the browser registers it. */
type PageScript = chrome.scripting.RegisteredContentScript;

const scriptId = "recorder";
export const scriptFile = "content.js";
const arrivalId = "arrival";
const arrivalFile = "arrival.js";

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
    runAt: "document_idle",
    allFrames: false,
    persistAcrossSessions: true,
  };
}

/**
 * Brings what is registered in line with the settings; what is right already is left alone. The browser itself keeps it out of sites that it was not let into.
 * @param notesArrival whether a script before that one notes that it came in time, where the browser also puts both into pages that are open already
 */
export async function registerPageScript(
  scripting: ExtensionApi["scripting"],
  wanted: PageScript | undefined,
  { notesArrival }: { notesArrival: boolean },
): Promise<void> {
  const all = wanted === undefined ? [] : notesArrival ? [arrivalBefore(wanted), wanted] : [wanted];
  const found = await scripting.getRegisteredContentScripts({ ids: [scriptId, arrivalId] });
  if (found.length === all.length && all.every((script) => found.some((each) => isSame(each, script)))) return;
  if (found.length > 0) await scripting.unregisterContentScripts({ ids: found.map(({ id }) => id) });
  if (all.length > 0) await scripting.registerContentScripts(all);
}

const arrivalBefore = (script: PageScript): PageScript => ({ ...script, id: arrivalId, js: [arrivalFile], runAt: "document_start" });

function isSame(found: chrome.scripting.RegisteredContentScript, wanted: PageScript): boolean {
  const sorted = (patterns: readonly string[] | undefined) => JSON.stringify([...(patterns ?? [])].toSorted());
  const isOfSites = sorted(found.matches) === sorted(wanted.matches) && sorted(found.excludeMatches) === sorted(wanted.excludeMatches);
  return found.id === wanted.id && isOfSites;
}
