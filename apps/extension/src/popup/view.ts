import type { Periscope } from "@periscope/client";
import type { QueueStatus } from "@periscope/sync/core";
import type { PageNote } from "../background/page-notes.js";
import { clientOf } from "../connection/connection.js";
import { send } from "../messages.js";
import type { PageContext } from "../pages/page-context.js";
import { type PageFacts, type PageState, pageState } from "../recording/page-state.js";
import type { Settings } from "../settings/settings.js";
import { hasAccessTo } from "../sites/sites.js";
import { type Trouble, readTrouble } from "../words/state-words.js";
import { getPageFact, type PageFact, probePage } from "./page-fact.js";

export interface CurrentPage extends PageFacts {
  tabId: number;
  title: string;
}

export interface View {
  settings: Settings;
  /** Undefined while no server or key is set. */
  client: Periscope | undefined;
  page: CurrentPage | undefined;
  state: PageState | undefined;
  /** Undefined where nothing may be recorded. */
  fact: PageFact | undefined;
  /** What was noted of the page, by which the fact holds. */
  note: PageNote | undefined;
  /** Asks the server for the fact; undefined where it can say nothing new, and while it does not answer the queue either. */
  ask: (() => Promise<PageFact>) | undefined;
  /** Undefined when the background does not answer. */
  status: QueueStatus | undefined;
  trouble: Trouble | undefined;
}

/** Reads what the popup shows, without the server. The last fact is shown as long as it holds, so that the server is not asked for it again. */
export async function readView({ api, store, sync, words, now }: PageContext, last: View | undefined): Promise<View> {
  const [{ settings, key }, page, status] = await Promise.all([store.readWithKey(), currentPage(), sync.status().catch(() => undefined)]);
  const client = clientOf({ settings, key });
  const state = page === undefined ? undefined : pageState(settings, page, now());
  const trouble = await readTrouble(api.permissions, words, { server: settings.server, key, status, now: now() });
  return { settings, client, page, state, status, trouble, ...(await readFact()) };

  async function currentPage(): Promise<CurrentPage | undefined> {
    const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id === undefined) return undefined;
    // Its address is known, since the popup was opened over it (`activeTab`).
    const { id: tabId, url = "", title = "", incognito } = tab;
    return { tabId, url, title, incognito, hasAccess: await hasAccessTo(api.permissions, url) };
  }

  async function readFact(): Promise<Pick<View, "fact" | "note" | "ask">> {
    const none = { fact: undefined, note: undefined, ask: undefined };
    if (page === undefined || (state?.is !== "recorded" && state?.is !== "no-access")) return none;
    const { tabId } = page;
    const noted = await send(api.runtime, "pageNote", { tabId }).catch(() => undefined);
    const note = noted !== undefined && addressOf(noted.url) === addressOf(page.url) ? noted : undefined;
    if (note === undefined && state.is === "no-access") return none;
    if (last?.fact?.is === "stored" && last.ask === undefined && last.fact.contextId === note?.contextId)
      return { fact: last.fact, note, ask: undefined };
    const { fact, ask } = await getPageFact({
      note,
      waiting: status?.waiting ?? 0,
      client,
      probe: async () => {
        // At once: one that is still loading says so.
        const asked = { target: { tabId }, func: probePage, injectImmediately: true };
        const [probed] = await api.scripting.executeScript(asked).catch(() => []);
        return probed?.result ?? "opened-before";
      },
    });
    const isSame = last?.fact !== undefined && note !== undefined && JSON.stringify(last.note) === JSON.stringify(note);
    return { fact: isSame && ask !== undefined ? last.fact : fact, note, ask: status?.reason === "backing-off" ? undefined : ask };
  }
}

/** An anchor leads to no other page; a route, as in `#/route`, does. */
const addressOf = (url: string): string => url.replace(/#(?![/!]).*$/, "");
