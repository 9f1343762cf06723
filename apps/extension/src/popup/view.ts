import type { Periscope } from "@periscope/client";
import type { QueueStatus } from "@periscope/sync/core";
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
  /** Undefined when the background does not answer. */
  status: QueueStatus | undefined;
  trouble: Trouble | undefined;
}

/** Reads what the popup shows. Its last fact is used again while it holds, so that the server is not asked for it again. */
export async function readView({ api, store, sync, words, now }: PageContext, last: View | undefined): Promise<View> {
  const [{ settings, key }, page, status] = await Promise.all([store.readWithKey(), currentPage(), sync.status().catch(() => undefined)]);
  const client = clientOf({ settings, key });
  const state = page === undefined ? undefined : pageState(settings, page, now());
  const trouble = await readTrouble(api.permissions, words, { server: settings.server, key, status, now: now() });
  return { settings, client, page, state, status, trouble, fact: await readFact() };

  async function currentPage(): Promise<CurrentPage | undefined> {
    const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
    if (tab?.id === undefined) return undefined;
    // Its address is known, since the popup was opened over it (`activeTab`).
    const { id: tabId, url = "", title = "", incognito } = tab;
    return { tabId, url, title, incognito, hasAccess: await hasAccessTo(api.permissions, url) };
  }

  async function readFact(): Promise<PageFact | undefined> {
    if (page === undefined || (state?.is !== "recorded" && state?.is !== "no-access")) return undefined;
    const { tabId } = page;
    const note = await send(api.runtime, "pageNote", { tabId }).catch(() => undefined);
    const noteOfPage = note !== undefined && addressOf(note.url) === addressOf(page.url) ? note : undefined;
    if (noteOfPage === undefined && state.is === "no-access") return undefined;
    if (last?.fact?.is === "stored" && last.fact.contextId === noteOfPage?.contextId) return last.fact;
    return await getPageFact({
      note: noteOfPage,
      waiting: status?.waiting ?? 0,
      client,
      probe: async () => {
        const [probed] = await api.scripting.executeScript({ target: { tabId }, func: probePage }).catch(() => []);
        return probed?.result ?? "opened-before";
      },
    });
  }
}

/** An anchor leads to no other page; a route, as in `#/route`, does. */
const addressOf = (url: string): string => url.replace(/#(?![/!]).*$/, "");
