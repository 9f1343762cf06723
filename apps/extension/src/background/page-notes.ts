import type { MessageFilter, NewMessage, Settled } from "@periscope/sync/core";
import { type ExtensionApi, listen } from "../extension-api.js";
import { hidesAddress } from "../recording/page-state.js";

/** What the filter decided about the page in a tab, and what became of it. The popup reads it. */
export interface PageNote {
  url: string;
  at: number;
  contextId?: string;
  /** Absent while it waits. */
  settled?: Settled;
  /** The rule that kept the page from being stored. Absent when it was let through. */
  rule?: string;
}

/** Notes of a tab that are kept, for when somebody goes back. */
const notesMax = 20;
const keyOf = (tabId: number | string) => `page:${tabId}`;

/** Notes by tab, in memory: they end with the browser and are never on disk. Call it in the first turn of the background. */
export function createPageNotes({ storage, tabs }: Pick<ExtensionApi, "storage" | "tabs">, now: () => number) {
  const memory = storage.session;
  const notesOf = async (tabId: number | string) => ((await memory.get(keyOf(tabId)))[keyOf(tabId)] ?? []) as PageNote[];
  const of = async (tabId: number | string) => (await notesOf(tabId)).at(-1);
  const all = async () =>
    Object.entries<unknown>(await memory.get(null)).filter(([key]) => key.startsWith(keyOf(""))) as [string, PageNote[]][];
  let last = Promise.resolve();
  /** Reads and writes one after the other. A note that fails must not keep a page from being recorded. */
  const inTurn = (work: () => Promise<void>) => (last = last.then(work).catch(() => {}));
  listen(tabs.onRemoved, (tabId) => inTurn(() => memory.remove(keyOf(tabId))));

  async function note(message: NewMessage, rule: string | undefined): Promise<void> {
    // The address of a page that may not be recorded is not noted.
    if (rule !== undefined && hidesAddress(rule)) return;
    if (message.type === "heartbeat") {
      // The tab shows a known page again, or one of another tab.
      const { contextId, tabId } = message.payload ?? {};
      const known = (await all()).flatMap(([, notes]) => notes).findLast((each) => each.contextId === contextId);
      if (known !== undefined && tabId !== undefined) await put(tabId, known);
      return;
    }
    // A preview has no id and is not noted.
    if (message.type !== "create" || message.id === undefined) return;
    const { id, type, tabId, tabMetadata } = message.payload.context;
    const { url } = tabMetadata;
    // A page says more than the navigation to it.
    if (type !== "page" && (type !== "navigation" || (await of(tabId))?.url === url)) return;
    await put(tabId, { url, at: now(), ...(id !== undefined && { contextId: id }), ...(rule !== undefined && { rule }) });
  }

  async function put(tabId: string, said: PageNote): Promise<void> {
    const others = (await notesOf(tabId)).filter(({ contextId }) => contextId === undefined || contextId !== said.contextId);
    await memory.set({ [keyOf(tabId)]: [...others, said].slice(-notesMax) });
  }

  return {
    of,
    /** The same filter, with a note of each page that it decides about. */
    noting:
      (filter: MessageFilter): MessageFilter =>
      async (message) => {
        const verdict = await filter(message);
        await inTurn(() => note(message, verdict.keep ? undefined : verdict.rule));
        return verdict;
      },
    /** Notes what became of a page that was queued. */
    settle: (settled: Settled): Promise<void> =>
      inTurn(async () => {
        // Views are many.
        if (settled.contextId === undefined) return;
        const isOwn = ({ contextId }: PageNote) => contextId === settled.contextId;
        const own = (await all()).filter(([, notes]) => notes.some(isOwn));
        const changed = own.map(([key, notes]) => [key, notes.map((each) => (isOwn(each) ? { ...each, settled } : each))]);
        await memory.set(Object.fromEntries(changed));
      }),
  };
}
