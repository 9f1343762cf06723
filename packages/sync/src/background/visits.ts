import { newMessageId } from "@periscope/delivery";
import type { EnqueueOptions } from "../core/enqueue.js";
import { markOf, type NewMessage, updateKeyOf } from "../core/message.js";
import type { Clock } from "../core/options.js";
import type { Enqueued } from "../core/outcomes.js";
import type { Capture, EnqueueRequest } from "../protocol.js";
import { messageOfCapture, messageOfVisit, type SeenVisit, titleOf, urlOf } from "./capture-message.js";
import type { ContextSyncOptions } from "./context-sync.js";
import type { ExtensionApis, NavigationDetails, TabState } from "./extension-apis.js";

/** What the tracking of visits is made with. */
export interface VisitsOptions {
  apis: ExtensionApis;
  clock: Clock;
  /** Milliseconds that a tab must stay on an address before it is recorded without a content script; undefined for never. */
  settleMs: number | undefined;
  /** Key in `storage.session`. */
  key: string;
  enqueue: (message: NewMessage, options: EnqueueOptions) => Promise<Enqueued>;
  readPage: ContextSyncOptions["readPage"];
  isWanted: (url: string) => Promise<boolean> | boolean;
}

/** Handle of the tracking. */
export interface Visits {
  /** Enqueues what a content script recorded, under the context of its visit. */
  record(request: EnqueueRequest, tab: TabState, documentId?: string): Promise<Enqueued & { contextId: string }>;
  /** Marks a page that was left as the one that its tab shows again. */
  back(contextId: string, tab: TabState): Promise<void>;
  /** Forgets all that was visited. */
  forget(): Promise<void>;
}

/** A context of a tab. */
interface Visit {
  contextId: string;
  url: string;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  documentId?: string;
  /** Tells one text from another without keeping it; absent while there is none. */
  mark?: string;
  /** The message that brought it: asked once more it must be the same. */
  messageId?: string;
  /** Milliseconds that it was looked at, in all documents that showed it, and the request that was counted last. */
  viewedMs?: number;
  countedId?: string;
  /** Of a visit without a content script. */
  title?: string;
}

/** An address that a tab came to, that no content script has recorded yet. */
interface Arrival {
  url: string;
  at: number;
  /** Identifiers of message and context, made at once: a worker that dies in between makes no second message. */
  id: string;
  contextId: string;
  documentId?: string;
  transition?: string;
}

interface Tab {
  /** The last one is in front. */
  visits: Visit[];
  pending?: Arrival;
  /** Whether a content script of the document tells of it. */
  hasScript?: boolean;
}

type Tabs = Map<string, Tab>;

/** Milliseconds in which the title of a page without a content script may still come, as that of a large PDF. */
const titleMs = 300_000;
/** Visits that are remembered of a tab, to know them again when somebody goes back. */
const visitsMax = 20;

/**
 * Knows which context each tab shows. Reloads, duplicated tabs and back navigations reuse the context of the page; pages without a content script get a
 * context of their address and title. When the tab in front changes, its context is viewed.
 * What is known is in `storage.session`, in memory and not on the disk, so that a worker that is ended goes on with it.
 */
export function trackVisits({ apis, clock, settleMs, key, enqueue, readPage, isWanted }: VisitsOptions): Visits {
  const { webNavigation, tabs, windows, storage } = apis;
  const timers = new Map<string, () => void>();
  let known: Tabs | undefined;
  let stored = "";
  let last: Promise<unknown> = Promise.resolve();

  const filter = { url: [{ schemes: ["http", "https", "file"] }] };
  if (settleMs !== undefined) {
    webNavigation?.onCommitted.addListener((details) => isSeen(details) && handle((all) => arrive(all, details, true)), filter);
    const moved = (details: NavigationDetails) => isSeen(details) && handle((all) => arrive(all, details, false));
    webNavigation?.onHistoryStateUpdated.addListener(moved, filter);
    webNavigation?.onReferenceFragmentUpdated.addListener(moved, filter);
  }
  tabs.onActivated.addListener(({ tabId }) => handle((all) => view(all, tabId)));
  windows?.onFocusChanged.addListener(async (windowId) => {
    // Another program has the focus.
    if (windowId < 0) return;
    const [tab] = await tabs.query({ active: true, windowId });
    if (tab?.id !== undefined) await handle((all) => view(all, tab.id ?? -1));
  });
  tabs.onUpdated.addListener((tabId, { title }) => title !== undefined && handle((all) => retitle(all, tabId)));
  tabs.onRemoved.addListener((tabId) =>
    handle(async (all) => {
      // A page that was closed before it settled was visited, too.
      await settle(all, String(tabId));
      all.delete(String(tabId));
    }),
  );
  // Arrivals that another worker left.
  if (webNavigation !== undefined) void handle(async () => {});

  return {
    record: (...recorded) => serialize((all) => record(all, ...recorded)),
    back: (contextId, { id }) =>
      serialize(async (all) => {
        const tab = all.get(String(id));
        const visit = tab?.visits.find((each) => each.contextId === contextId);
        if (tab === undefined || visit === undefined) return;
        putInFront(tab, visit);
        leaveToScript(tab, String(id));
      }),
    forget: () =>
      handle(async (all) => {
        for (const cancel of timers.values()) cancel();
        timers.clear();
        all.clear();
      }),
  };

  /** Runs one piece of work after the other, in the order of the events. */
  function serialize<T>(work: (all: Tabs) => Promise<T>): Promise<T> {
    const done = last.then(async () => {
      const all = await load();
      try {
        return await work(all);
      } finally {
        await store(all).catch(() => {});
      }
    });
    last = done.catch(() => {});
    return done;
  }

  /** Handles an event: a failure concerns that event alone. */
  function handle(work: (all: Tabs) => Promise<void>): Promise<void> {
    return serialize(work).catch(() => {});
  }

  /** Writes only changes: each write is an event, and in Firefox an event keeps a worker alive that is about to end. */
  async function store(all: Tabs): Promise<void> {
    const items = Object.fromEntries(all);
    const json = JSON.stringify(items);
    if (json === stored) return;
    await storage?.session?.set({ [key]: items });
    stored = json;
  }

  async function record(
    all: Tabs,
    { id, timestamp, capture: given }: EnqueueRequest,
    state: TabState,
    documentId: string | undefined,
  ): Promise<Enqueued & { contextId: string }> {
    const tabId = String(state.id);
    const tab = tabOf(all, tabId);
    leaveToScript(tab, tabId);
    const mark = given.type === "page" ? markOfText(given) : undefined;
    const own = tab.visits.find(({ contextId }) => contextId === given.contextId);
    const same = own ?? visitAgain(tab, given) ?? openElsewhere(all, given, mark);
    // A request that is repeated is counted once.
    const viewedMs = (same?.viewedMs ?? 0) + (same?.countedId === id ? 0 : (given.viewedMs ?? 0));
    const visit: Visit = {
      contextId: given.contextId,
      at: Date.parse(given.capturedAt),
      ...same,
      url: given.url,
      ...(documentId !== undefined && { documentId }),
      ...(mark !== undefined && { mark }),
      ...(viewedMs > 0 && { viewedMs, countedId: id }),
    };
    const { contextId } = visit;
    const metadata = viewedMs > 0 ? { ...given.metadata, viewedMs } : given.metadata;
    const isKnown = same !== undefined && same.messageId !== id && given.visit !== "asked" && (mark === undefined || same.mark === mark);
    if (isKnown) {
      // Nothing is new but the view.
      putInFront(tab, visit);
      if (given.isActive === false) {
        if (given.viewedMs === undefined || visit.messageId === undefined) return { status: "merged", id, contextId };
        // The filter decides by the whole page what its metadata may hold.
        const { payload } = messageOfCapture({ ...given, ...(metadata && { metadata }), contextId }, state);
        const update = { id, timestamp, type: "update", payload } as NewMessage;
        const fields = ["id", "url", "metadata", "privacyLevel"];
        const enqueued = await enqueue(update, { mergeKey: updateKeyOf(contextId), fields });
        // The page sends the time again.
        if (enqueued.status === "dropped") putInFront(tab, same);
        return { ...enqueued, contextId };
      }
      const payload = { contextId, tabId };
      return { ...(await enqueue({ id, timestamp, type: "heartbeat", payload }, {})), contextId };
    }
    // A page that is open in another tab may be the same one. Its text decides.
    if (same === undefined && mark === undefined && isOpenElsewhere(all, tabId, given.url)) return { status: "merged", id, contextId };
    const capture = { ...given, ...(metadata && { metadata }), contextId, capturedAt: new Date(visit.at).toISOString() };
    const enqueued = await enqueue(messageOfCapture(capture, state, { id, timestamp }), {
      isFromPage: true,
      mergeKey: `visit ${contextId}`,
    });
    if (enqueued.status === "queued" || enqueued.status === "merged") putInFront(tab, { ...visit, messageId: id });
    return { ...enqueued, contextId };
  }

  async function arrive(all: Tabs, details: NavigationDetails, isNew: boolean): Promise<void> {
    const { tabId, url, timeStamp: at, documentId, transitionType: transition } = details;
    const { incognito } = await tabs.get(tabId);
    // Of a private window, or an address that is not wanted, nothing is remembered, not even in memory.
    if (incognito || !(await isWanted(url))) return;
    const tab = tabOf(all, String(tabId));
    const restored = isNew && documentId !== undefined ? tab.visits.findLast((visit) => visit.documentId === documentId) : undefined;
    if (restored !== undefined) {
      // It returned from the back-forward cache.
      putInFront(tab, restored);
      leaveToScript(tab, String(tabId));
      await view(all, tabId);
      return;
    }
    if (isNew) delete tab.hasScript;
    if (tab.hasScript === true || (!isNew && addressOf(tab.pending?.url ?? tab.visits.at(-1)?.url ?? "") === addressOf(url))) return;
    const [id, contextId] = [newMessageId(at), newMessageId(at)];
    tab.pending = {
      url,
      at,
      id,
      contextId,
      ...(documentId !== undefined && { documentId }),
      ...(transition !== undefined && { transition }),
    };
    schedule(String(tabId), tab.pending);
  }

  function schedule(tabId: string, pending: Arrival): void {
    const ms = Math.max(0, Math.min(pending.at + (settleMs ?? 0) - clock.now(), settleMs ?? 0));
    timers.get(tabId)?.();
    timers.set(
      tabId,
      clock.after(ms, () => void handle((all) => settle(all, tabId))),
    );
  }

  /** A content script records the page, so the background does not. */
  function leaveToScript(tab: Tab, tabId: string): void {
    tab.hasScript = true;
    delete tab.pending;
    timers.get(tabId)?.();
  }

  async function settle(all: Tabs, tabId: string): Promise<void> {
    const tab = all.get(tabId);
    if (tab?.pending === undefined) return;
    const { url, at, id, contextId, documentId, transition } = tab.pending;
    delete tab.pending;
    timers.get(tabId)?.();
    const state = await tabs.get(Number(tabId)).catch(() => undefined);
    // The tab has moved on, and its title is that of another page.
    if (urlOf(state) !== "" && addressOf(urlOf(state)) !== addressOf(url)) return;
    const again = transition === "reload" ? tab.visits.findLast((visit) => visit.url === url) : undefined;
    const title = titleOf(state);
    const visit: Visit = again ?? { contextId, url, at, title, ...(documentId !== undefined && { documentId }) };
    if (again === undefined) {
      const enqueued = await enqueue(messageOfVisit({ ...visit, id, transition, tabId, state }), {
        isFromPage: true,
        mergeKey: `visit ${contextId}`,
      });
      // The filter may keep out addresses and let pages pass.
      const isRead = readPage !== undefined && enqueued.status === "blocked";
      if (enqueued.status !== "queued" && enqueued.status !== "merged" && !isRead) return;
      // An address that is kept out has no title to send either.
      if (isRead) delete visit.title;
    }
    putInFront(tab, visit);
    if (again !== undefined) await view(all, Number(tabId));
    if (readPage !== undefined) void readText(visit, { transition, tabId, state });
  }

  /** Takes the title of a page without a content script that came after the page was recorded, as from the viewer of a PDF. */
  async function retitle(all: Tabs, tabId: number): Promise<void> {
    const tab = all.get(String(tabId));
    const visit = tab?.visits.at(-1);
    if (visit?.title === undefined || tab?.hasScript === true || visit.mark !== undefined || clock.now() > visit.at + titleMs) return;
    const state = await tabs.get(tabId);
    const title = titleOf(state);
    if (title === "" || title === visit.title || addressOf(urlOf(state)) !== addressOf(visit.url)) return;
    visit.title = title;
    const { contextId, url } = visit;
    const context = { id: contextId, url, title, tabMetadata: { title } };
    await enqueue({ type: "update", payload: { context } }, { mergeKey: updateKeyOf(contextId) });
  }

  /** Turns a visit of which no content script tells into the page with its text, if it has any and the visit is not forgotten meanwhile. */
  async function readText({ contextId, url, at }: Visit, arrived: Pick<SeenVisit, "transition" | "tabId" | "state">): Promise<void> {
    const text = await readPage?.({ url, tabId: arrived.tabId }).catch(() => undefined);
    if (text === undefined) return;
    await handle(async (all) => {
      const visit = all.get(arrived.tabId)?.visits.find((each) => each.contextId === contextId);
      const mark = markOfText(text);
      if (visit === undefined || visit.mark === mark) return;
      const titled = { ...(visit.title !== undefined && { title: visit.title }), ...text };
      const seen = messageOfVisit({ contextId, url, at, id: newMessageId(clock.now()), ...arrived, text: titled });
      // Newer than a title that was sent meanwhile.
      const message = { ...seen, timestamp: new Date(clock.now()).toISOString() };
      const { status } = await enqueue(message, { isFromPage: true, mergeKey: `visit ${contextId}` });
      if (status === "queued" || status === "merged") visit.mark = mark;
    });
  }

  /** The page in front of a tab is looked at now. */
  async function view(all: Tabs, tabId: number): Promise<void> {
    const visit = all.get(String(tabId))?.visits.at(-1);
    if (visit === undefined) return;
    const url = urlOf(await tabs.get(tabId).catch(() => undefined));
    // The tab may show a page that is not recorded. Within its site, the page may have rewritten its address.
    if (url === "" || originOf(url) === originOf(visit.url))
      await enqueue({ type: "heartbeat", payload: { contextId: visit.contextId, tabId: String(tabId) } }, {});
  }

  async function load(): Promise<Tabs> {
    if (known !== undefined) return known;
    // Without `storage` only this worker's visits are known.
    const found = await storage?.session?.get(key).then(
      (items) => items[key],
      () => undefined,
    );
    // Tabs may have been closed while no worker ran.
    const open = new Set((await tabs.query({})).map(({ id }) => String(id)));
    known = new Map(Object.entries((found as Record<string, Tab> | undefined) ?? {}).filter(([tabId]) => open.has(tabId)));
    stored = JSON.stringify(found ?? {});
    for (const [tabId, { pending }] of known) if (pending !== undefined) schedule(tabId, pending);
    return known;
  }
}

function tabOf(all: Tabs, tabId: string): Tab {
  const tab = all.get(tabId) ?? { visits: [] };
  all.set(tabId, tab);
  return tab;
}

function putInFront(tab: Tab, visit: Visit): void {
  tab.visits = [...tab.visits.filter(({ contextId }) => contextId !== visit.contextId), visit].slice(-visitsMax);
}

/** A visit of the tab that continues: after a reload or going back, or when only the browser had seen it. */
function visitAgain({ visits }: Tab, { url, visit }: Capture): Visit | undefined {
  const front = visits.at(-1);
  if (front?.url === url && front.mark === undefined) return front;
  return visit === "reload" || visit === "back_forward" ? visits.findLast((each) => each.url === url) : undefined;
}

const originOf = (url: string) => new URL(url).origin;

const markOfText = ({ title, content }: { title?: string; content: string }) => `${content.length} ${markOf(`${title ?? ""}\n${content}`)}`;

/** The visit that another tab shows, with the same text. */
const openElsewhere = (all: Tabs, { url }: Capture, mark: string | undefined): Visit | undefined =>
  mark === undefined
    ? undefined
    : [...all.values()].map(({ visits }) => visits.at(-1)).find((visit) => visit?.url === url && visit.mark === mark);

const isOpenElsewhere = (all: Tabs, tabId: string, url: string): boolean =>
  [...all].some(([id, { visits }]) => id !== tabId && visits.at(-1)?.url === url);

/** Whether a navigation is one of a page that somebody sees. */
function isSeen({ tabId, frameId, url, documentLifecycle, frameType }: NavigationDetails): boolean {
  const isPage = tabId >= 0 && frameId === 0 && (frameType ?? "outermost_frame") === "outermost_frame";
  return isPage && (documentLifecycle ?? "active") === "active" && /^(?:https?|file):/.test(url);
}

/** The address without its fragment, unless that is a route, as `#/route` and `#!route` are. */
const addressOf = (url: string): string => url.replace(/#(?![/!]).*$/, "");
