import type { MessageFilter, NewMessage, Settled } from "@periscope/sync/core";
import type { ExtensionApi } from "../extension-api.js";
import { isStanding } from "../recording/page-state.js";
import { whenever } from "./whenever.js";

/** What the filter decided about the page in a tab, and what became of it. The popup reads it. */
export interface PageNote {
  url: string;
  /** Milliseconds since the epoch. */
  at: number;
  contextId?: string;
  /** Absent while it waits. */
  settled?: Settled;
  /** The rule that kept the page from being stored. Absent when it was let through. */
  rule?: string;
}

/** Notes by tab, in memory: they end with the browser and are never on disk. */
export interface PageNotes {
  /** The same filter, with a note of each page that it decides about. */
  noting(filter: MessageFilter): MessageFilter;
  /** Notes what became of a page that was queued. */
  settle(settled: Settled): Promise<void>;
  of(tabId: number): Promise<PageNote | undefined>;
}

const keyOf = (tabId: number | string) => `page:${tabId}`;

/** Call it in the first turn of the background. */
export function createPageNotes({ storage, tabs }: Pick<ExtensionApi, "storage" | "tabs">, now: () => number): PageNotes {
  const memory = storage.session;
  const of = async (tabId: number | string) => (await memory.get(keyOf(tabId)))[keyOf(tabId)] as PageNote | undefined;
  whenever(tabs.onRemoved, async (tabId) => await memory.remove(keyOf(tabId)));

  async function note(message: NewMessage, rule: string | undefined): Promise<void> {
    // Of a page that may not be recorded, not even the address is noted.
    if (message.type !== "create" || (rule !== undefined && isStanding(rule))) return;
    // A preview has no id: nothing is kept of it.
    if (message.id === undefined) return;
    const { id, type, tabId, tabMetadata } = message.payload.context;
    const { url } = tabMetadata;
    // A page says more than the navigation to it.
    if (type !== "page" && (type !== "navigation" || (await of(tabId))?.url === url)) return;
    const said: PageNote = {
      url,
      at: now(),
      ...(id !== undefined && { contextId: id }),
      ...(rule !== undefined && { rule }),
    };
    await memory.set({ [keyOf(tabId)]: said });
  }

  return {
    of,
    noting: (filter) => async (message) => {
      const verdict = await filter(message);
      // A note that fails must not keep a page from being recorded.
      await note(message, verdict.keep ? undefined : verdict.rule).catch(() => {});
      return verdict;
    },
    async settle(settled) {
      if (settled.contextId === undefined) return;
      const found = Object.entries<Partial<PageNote>>(await memory.get(null));
      const own = found.filter(([key, { contextId }]) => key.startsWith(keyOf("")) && contextId === settled.contextId);
      await memory.set(Object.fromEntries(own.map(([key, said]) => [key, { ...said, settled }])));
    },
  };
}
