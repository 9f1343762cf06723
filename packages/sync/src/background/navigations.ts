import type { NewMessage } from "../core/message.js";
import type { Clock } from "../core/options.js";
import { captureBounds, protocolVersion, type SettledNotice } from "../protocol/index.js";
import type { ExtensionApis, NavigationDetails, TabState } from "./extension-apis.js";
import { addressOf, type Arrival, type How, isVisit, type Visit, visitAfter } from "./visits.js";

/** What the tracking of navigations is made with. */
export interface Navigations {
  apis: ExtensionApis;
  clock: Clock;
  /** An address counts when a page stayed there for so long. */
  settleMs: number;
  /** Key in `storage.session`. */
  key: string;
  take: (message: NewMessage) => Promise<unknown>;
}

/** Handle of the tracking. */
export interface NavigationTracking {
  /** Takes in what is pending, without waiting for it to settle: the worker is about to end. */
  hurry(): Promise<void>;
  /** Forgets what is pending and what was. */
  forget(): Promise<void>;
}

/**
 * Makes one message of each address that the main frame of a tab settles at, told by `webNavigation`. What is pending is in `storage.session`, in
 * memory and not on the disk, so that a worker that is ended before it settled takes it up again.
 */
export function trackNavigations({ apis, clock, settleMs, key, take }: Navigations): NavigationTracking {
  const { webNavigation, tabs, storage } = apis;
  const timers = new Map<string, () => void>();
  let visits: Map<string, Visit> | undefined;
  let last: Promise<void> = Promise.resolve();
  /** One after the other, in the order of the events. What fails concerns one navigation. */
  const inTurn = (work: (known: Map<string, Visit>) => Promise<void>) =>
    (last = last.then(async () => await work(await load())).catch(() => {}));

  const filter = { url: [{ schemes: ["http", "https", "file"] }] };
  const on = (how: How) => async (details: NavigationDetails) => {
    if (isVisit(details)) await inTurn((known) => arrive(known, details, how));
  };
  webNavigation?.onCommitted.addListener(on("committed"), filter);
  webNavigation?.onHistoryStateUpdated.addListener(on("history"), filter);
  webNavigation?.onReferenceFragmentUpdated.addListener(on("fragment"), filter);
  tabs.onRemoved.addListener((tabId) =>
    inTurn(async (known) => {
      // The last page of a tab was one that somebody came to.
      await settle(known, String(tabId));
      if (known.delete(String(tabId))) await save(known);
    }),
  );
  // What another worker left.
  if (webNavigation !== undefined) void inTurn(async () => {});

  return {
    hurry: () =>
      inTurn(async (known) => {
        for (const tabId of known.keys()) await settle(known, tabId);
      }),
    forget: () =>
      inTurn(async (known) => {
        for (const cancel of timers.values()) cancel();
        timers.clear();
        known.clear();
        await save(known);
      }),
  };

  async function arrive(known: Map<string, Visit>, details: NavigationDetails, how: How): Promise<void> {
    const tab = await tabs.get(details.tabId);
    // Of a private window nothing is remembered, not even in memory.
    if (tab.incognito) return;
    const tabId = String(details.tabId);
    const visit = visitAfter(known.get(tabId), details, how, tab);
    known.set(tabId, visit);
    schedule(tabId, visit.pending);
    await save(known);
  }

  function schedule(tabId: string, pending: Arrival | undefined): void {
    timers.get(tabId)?.();
    timers.delete(tabId);
    if (pending === undefined) return;
    const ms = Math.max(0, Math.min(pending.at + settleMs - clock.now(), settleMs));
    timers.set(
      tabId,
      clock.after(ms, () => void inTurn((known) => settle(known, tabId))),
    );
  }

  async function settle(known: Map<string, Visit>, tabId: string): Promise<void> {
    const visit = known.get(tabId);
    if (visit?.pending === undefined) return;
    const { pending, ...settled } = visit;
    schedule(tabId, undefined);
    const tab = await tabs.get(Number(tabId)).catch(() => undefined);
    if (isElsewhere(tab, pending)) {
      // Nobody stayed there, and what the tab says of itself is of another page, which may be one to leave out.
      known.set(tabId, settled);
      await save(known);
      return;
    }
    await take(messageOf(pending, { tabId, windowId: visit.windowId, tab }));
    known.set(tabId, { ...settled, settled: addressOf(pending.url) });
    await save(known);
    if (!pending.isSameDocument || tab === undefined) return;
    const notice: SettledNotice = { periscope: protocolVersion, kind: "settled", url: pending.url };
    // Nobody may be there to hear it.
    await tabs.sendMessage(Number(tabId), notice, { frameId: 0 }).catch(() => {});
  }

  async function load(): Promise<Map<string, Visit>> {
    if (visits !== undefined) return visits;
    // Without it there is only what this worker saw.
    const found = await storage?.session?.get(key).then(
      (items) => items[key],
      () => undefined,
    );
    visits = new Map(Object.entries((found as Record<string, Visit> | undefined) ?? {}));
    for (const [tabId, { pending }] of visits) schedule(tabId, pending);
    return visits;
  }

  async function save(known: ReadonlyMap<string, Visit>): Promise<void> {
    await storage?.session?.set({ [key]: Object.fromEntries(known) }).catch(() => {});
  }
}

/** An address that the browser does not tell, as without the permission `tabs`, is none. */
const urlOf = (tab: TabState | undefined): string => tab?.url ?? "";

const isElsewhere = (tab: TabState | undefined, { url }: Arrival) => urlOf(tab) !== "" && addressOf(urlOf(tab)) !== addressOf(url);

function messageOf(pending: Arrival, { tabId, windowId, tab }: { tabId: string; windowId: number; tab: TabState | undefined }): NewMessage {
  const { id, contextId, url, at, transition } = pending;
  const capturedAt = new Date(at).toISOString();
  // Without an address it may be the title of another page.
  const told = urlOf(tab) === "" ? "" : (tab?.title ?? "");
  // A title that is too long is left out: cut before the filter, half a secret would pass it.
  const title = told.length * 3 > captureBounds.titleBytesMax ? "" : told;
  const tabMetadata = {
    id: tabId,
    url,
    title,
    isActive: tab?.active ?? false,
    isLoading: false,
    windowId,
    lastUpdated: capturedAt,
    incognito: tab?.incognito ?? false,
    pinned: tab?.pinned ?? false,
  };
  const metadata = transition === undefined ? {} : { transition };
  const context = { id: contextId, type: "navigation" as const, tabId, capturedAt, tabMetadata, url, title, content: "", metadata };
  return { id, type: "create", timestamp: capturedAt, payload: { context } };
}
