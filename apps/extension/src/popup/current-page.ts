import type { PageFacts } from "../recording/page-state.js";
import { hasAccessTo } from "../sites/site-access.js";
import type { PageContext } from "../pages/page-context.js";

/** The page that the popup is opened over. */
export interface CurrentPage extends PageFacts {
  tabId: number;
}

/** The page in front; undefined when there is none. Its address is there since the popup was opened over it (`activeTab`). */
export async function currentPage({ api }: PageContext): Promise<CurrentPage | undefined> {
  const [tab] = await api.tabs.query({ active: true, lastFocusedWindow: true });
  if (tab?.id === undefined) return undefined;
  const url = tab.url ?? "";
  return { tabId: tab.id, url, incognito: tab.incognito, hasAccess: await hasAccessTo(api.permissions, url) };
}
