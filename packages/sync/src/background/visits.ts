import { newMessageId } from "@periscope/delivery";
import { markOf, type NewMessage, updateMergeKey } from "../core/message.js";
import type { Clock } from "../core/options.js";
import type { Enqueued } from "../core/outcomes.js";
import { isMeant } from "../core/removal.js";
import type { Capture, EnqueueRequest, HeartbeatRequest } from "../protocol.js";
import { messageOfCapture, messageOfVisit, type VisitRecord, titleOf, urlOf } from "./capture-message.js";
import type { ContextSync, ContextSyncOptions } from "./context-sync.js";
import { type ExtensionApis, hasAccessTo, type NavigationDetails, type TabState } from "./extension-apis.js";

interface VisitsOptions extends Pick<ContextSync, "enqueue" | "explain">, Required<Pick<ContextSyncOptions, "isWanted" | "settleMs">> {
  apis: ExtensionApis;
  clock: Clock;
  /** Key in `storage.session`. */
  key: string;
  /** Whose visits these are. Those of another account are forgotten. */
  account: () => Promise<string | null>;
  readPage: ContextSyncOptions["readPage"];
}

export type Visits = ReturnType<typeof trackVisits>;

/** A context of a tab, which began `at`. */
interface Visit extends VisitRecord {
  /** Tells one text from another without keeping it; absent while there is none. */
  mark?: string;
  /** The message that brought it: asked once more it must be the same. */
  messageId?: string;
  /** Of a visit without a content script. */
  title?: string;
  /** Whether no message of it was taken so far, so that the server does not know it: its text may still be. */
  isUntaken?: true;
}

interface Tab {
  /** The last one is in front. */
  visits: Visit[];
  /** An address that the tab came to, that no content script has recorded yet. Its id is made at once: a worker that dies in between makes no second message. */
  pending?: Visit;
  /** Whether a content script of the document tells of it. */
  hasScript?: boolean;
}

type UpdateMessage = Extract<NewMessage, { type: "update" }>;

/** All that is known, as it is in `storage.session`. */
interface Known {
  account: string | null;
  tabs: Record<string, Tab>;
  /** How long each context was viewed, and the request that said so last. It outlives the tab: the last message of a page often comes after that is closed. */
  viewed: Record<string, { ms: number; requestId: string }>;
}

/** Milliseconds in which the title of a page without a content script may still come, as that of a large PDF. */
const titleMs = 300_000;
/** Visits that are remembered of a tab, to know them again when somebody goes back. */
const visitsMax = 20;
const viewedMax = 1_000;

/**
 * Knows which context each tab shows. Reloads, duplicated tabs and back navigations reuse the context of the page; pages without a content script get a
 * context of their address and title. When the tab in front changes, its context is viewed.
 * What is known is in `storage.session`, in memory and not on the disk, so that a worker that is ended goes on with it.
 */
export function trackVisits({ apis, clock, settleMs, key, account, enqueue, explain, readPage, isWanted }: VisitsOptions) {
  const { webNavigation, tabs, windows, storage } = apis;
  const timers = new Map<string, () => void>();
  let known: Known | undefined;
  let stored = "";
  let last: Promise<unknown> = Promise.resolve();

  const filter = { url: [{ schemes: ["http", "https", "file"] }] };
  webNavigation?.onCommitted.addListener((details) => isSeen(details) && handle((all) => arrive(all, details, true)), filter);
  const moved = (details: NavigationDetails) => isSeen(details) && handle((all) => arrive(all, details, false));
  webNavigation?.onHistoryStateUpdated.addListener(moved, filter);
  webNavigation?.onReferenceFragmentUpdated.addListener(moved, filter);
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
      delete all.tabs[tabId];
    }),
  );
  // Arrivals that another worker left.
  if (webNavigation !== undefined) void handle(async () => {});

  return {
    /** Enqueues what a content script recorded, under the context of its visit. */
    record: (request: EnqueueRequest, tab: TabState) =>
      serialize(async (all) => {
        const viewed = { ...all.viewed };
        const enqueued = await record(all, request, tab);
        // Time in which the page was kept out, as in a pause, is not told later either.
        if (enqueued.status === "blocked") all.viewed = viewed;
        return enqueued;
      }),
    /** Enqueues that a page is looked at. One that was left before is the one that its tab shows again. */
    heartbeat: ({ id, timestamp, contextId }: HeartbeatRequest, state: TabState): Promise<Enqueued> =>
      serialize(async (all) => {
        // Its site may have been blocked since the page was opened.
        if (!(await isWanted(urlOf(state)))) return { status: "blocked", rule: "not-wanted" };
        const tabId = String(state.id);
        const tab = all.tabs[tabId];
        if (tab !== undefined) {
          leaveToScript(tab, tabId);
          const visit = tab.visits.find((each) => each.contextId === contextId);
          if (visit !== undefined) putInFront(tab, visit);
        }
        return await sendHeartbeat(contextId, tabId, { id, timestamp });
      }),
    /** Forgets the visits whose messages `where` is true for. */
    forget: (where: (message: NewMessage) => boolean) =>
      handle(async (all) => forget(all, (visit, tabId) => isMeant(where, () => messageOfVisit(visit, { tabId })))),
    /** Forgets a context that is not stored and waits no more, so that the page is recorded anew when it is seen again. */
    forgetContext: (contextId: string) => handle(async (all) => forget(all, (visit) => visit.contextId === contextId)),
  };

  function forget(all: Known, isOver: (visit: Visit, tabId: string) => boolean): void {
    for (const [tabId, tab] of Object.entries(all.tabs)) {
      const front = tab.pending ?? tab.visits.at(-1);
      tab.visits = tab.visits.filter((visit) => !isOver(visit, tabId));
      // What the tab shows is none of its earlier visits.
      if (front === undefined || isOver(front, tabId)) {
        timers.get(tabId)?.();
        delete all.tabs[tabId];
      }
    }
    const left = new Set(Object.values(all.tabs).flatMap(({ visits }) => visits.map(({ contextId }) => contextId)));
    for (const contextId of Object.keys(all.viewed)) if (!left.has(contextId)) delete all.viewed[contextId];
  }

  /** Runs one piece of work after the other, in the order of the events. */
  function serialize<T>(work: (all: Known) => Promise<T>): Promise<T> {
    const done = last.then(async () => {
      const all = await load();
      const now = await account();
      if (now !== all.account) forget(all, () => true);
      all.account = now;
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
  function handle(work: (all: Known) => Promise<void>): Promise<void> {
    return serialize(work).catch(() => {});
  }

  /** Writes only changes: each write is an event, and in Firefox an event keeps a worker alive that is about to end. */
  async function store(all: Known): Promise<void> {
    const json = JSON.stringify(all);
    if (json === stored) return;
    await storage?.session?.set({ [key]: all });
    stored = json;
  }

  async function record(
    all: Known,
    { id, timestamp, capture: given }: EnqueueRequest,
    state: TabState,
  ): Promise<Enqueued & { contextId: string }> {
    if (given.visit === "viewed") return await addTime(all, { id, timestamp, capture: given }, state);
    const tabId = String(state.id);
    const tab = tabOf(all, tabId);
    leaveToScript(tab, tabId);
    const mark = given.type === "page" ? markOfText(given) : undefined;
    const own = tab.visits.find(({ contextId }) => contextId === given.contextId);
    const fronts = Object.entries(all.tabs).flatMap(([id, { visits }]) =>
      visits
        .slice(-1)
        .filter(wasTaken)
        .map((visit) => ({ isOther: id !== tabId, visit })),
    );
    const shown = fronts.filter(({ visit }) => visit.url === given.url);
    const again = own ?? visitAgain(tab, given);
    // Another tab shows that context with another text: this one has a context of its own from now on.
    const isSplit =
      mark !== undefined && fronts.some(({ isOther, visit }) => isOther && visit.contextId === again?.contextId && visit.mark !== mark);
    const same = (isSplit ? undefined : again) ?? shown.find(({ visit }) => mark !== undefined && visit.mark === mark)?.visit;
    const visit: Visit = {
      contextId: isSplit ? newMessageId(clock.now()) : given.contextId,
      at: Date.parse(given.capturedAt),
      ...same,
      url: given.url,
      ...(mark !== undefined && { mark }),
    };
    const { contextId } = visit;
    // A page that is open in another tab may be the same one. Its text decides.
    if (same === undefined && mark === undefined && shown.some(({ isOther }) => isOther)) return { status: "merged", id, contextId };
    const capture = withTime(all, id, { ...given, contextId });
    const isKnown = same !== undefined && same.messageId !== id && given.visit !== "asked" && (mark === undefined || same.mark === mark);
    if (isKnown) {
      // Nothing is new but the view.
      putInFront(tab, visit);
      // Its site may have been blocked meanwhile, and a view does not name it to the filter.
      if (!(await isWanted(given.url))) return { status: "blocked", rule: "not-wanted", contextId };
      if (given.isActive === false) return { status: "merged", id, contextId };
      return { ...(await sendHeartbeat(contextId, tabId, { id, timestamp })), contextId };
    }
    const message = messageOfCapture({ ...capture, capturedAt: new Date(visit.at).toISOString() }, state, { id, timestamp });
    const enqueued = await enqueueVisit(contextId, message);
    if (isTaken(enqueued)) putInFront(tab, { ...visit, messageId: id });
    return { ...enqueued, contextId };
  }

  function sendHeartbeat(contextId: string, tabId: string, stamp: { id?: string; timestamp?: string } = {}): Promise<Enqueued> {
    return enqueue({ ...stamp, type: "heartbeat", payload: { contextId, tabId } });
  }

  /** Enqueues the context of a visit, in place of what was not sent of it yet. */
  function enqueueVisit(contextId: string, message: NewMessage): Promise<Enqueued> {
    return enqueue(message, { isFromPage: true, mergeKey: `visit ${contextId}` });
  }

  /** Adds to the time of a context that is known. Of one that was forgotten, nothing is sent. */
  async function addTime(all: Known, { id, timestamp, capture }: Omit<EnqueueRequest, "periscope" | "kind">, state: TabState) {
    const { contextId } = capture;
    if (all.viewed[contextId] === undefined) return { status: "merged" as const, id, contextId };
    // The filter decides by the whole page what its metadata may hold.
    const { payload } = messageOfCapture(withTime(all, id, capture), state);
    const whole = { id, timestamp, type: "update", payload } as UpdateMessage;
    const verdict = await explain(whole);
    // Without its text, a filter that decides by the text would let it pass.
    if (!verdict.keep) return { status: "blocked" as const, rule: verdict.rule, contextId };
    const { url, metadata, privacyLevel } = (verdict.message as UpdateMessage).payload.context;
    const update: NewMessage = { ...whole, payload: { context: { id: contextId, url, metadata, privacyLevel } } };
    return { ...(await enqueue(update, { mergeKey: updateMergeKey(contextId) })), contextId };
  }

  /** A capture with the time that its context was viewed in all documents. A request that is repeated counts once. */
  function withTime({ viewed }: Known, requestId: string, capture: Capture): Capture {
    const { contextId, viewedMs: moreMs = 0 } = capture;
    const known = viewed[contextId] ?? { ms: 0, requestId: "" };
    const viewedMs = known.requestId === requestId ? known.ms : known.ms + moreMs;
    // What was viewed last comes last. Of too many, the first go.
    delete viewed[contextId];
    viewed[contextId] = { ms: viewedMs, requestId };
    for (const surplus of Object.keys(viewed).slice(0, -viewedMax)) delete viewed[surplus];
    return viewedMs === 0 ? capture : { ...capture, metadata: { ...capture.metadata, viewedMs } };
  }

  async function arrive(all: Known, details: NavigationDetails, isNew: boolean): Promise<void> {
    const { tabId, url, timeStamp: at, transitionType, transitionQualifiers = [] } = details;
    const transition = transitionQualifiers.includes("forward_back") ? "forward_back" : transitionType;
    const { incognito } = await tabs.get(tabId);
    // Of a private window, or an address that is not wanted, nothing is remembered, not even in memory.
    if (incognito || !(await isWanted(url))) return;
    const tab = tabOf(all, String(tabId));
    // A page that returns from the back-forward cache says so itself.
    if (isNew) delete tab.hasScript;
    if (tab.hasScript === true || (!isNew && addressOf(tab.pending?.url ?? tab.visits.at(-1)?.url ?? "") === addressOf(url))) return;
    tab.pending = { url, at, contextId: newMessageId(at), ...(transition !== undefined && { transition }) };
    schedule(String(tabId), tab.pending);
  }

  function schedule(tabId: string, pending: Visit): void {
    const ms = Math.max(0, Math.min(pending.at + settleMs - clock.now(), settleMs));
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

  async function settle(all: Known, tabId: string): Promise<void> {
    const tab = all.tabs[tabId];
    if (tab?.pending === undefined) return;
    const { pending } = tab;
    const { url, transition } = pending;
    delete tab.pending;
    timers.get(tabId)?.();
    const state = await tabs.get(Number(tabId)).catch(() => undefined);
    // The tab has moved on, and its title is that of another page. A closed tab has shown it to the end.
    if (state !== undefined && (urlOf(state) === "" ? await isTold(url) : addressOf(urlOf(state)) !== addressOf(url))) return;
    const isReturn = transition === "reload" || transition === "forward_back";
    const earlier = isReturn ? tab.visits.filter((visit) => visit.url === url) : [];
    const again = earlier.findLast(wasTaken);
    // Loaded once more, the answer to a form would be another. A reload of it sends the form again.
    const isAnswer = [...earlier, pending].some((visit) => visit.transition === "form_submit");
    const visit: Visit = again ?? { ...pending, title: titleOf(state) };
    if (isAnswer) visit.transition = "form_submit";
    if (again === undefined) {
      const enqueued = await enqueueVisit(visit.contextId, messageOfVisit(visit, { tabId, state }));
      if (!isTaken(enqueued)) {
        // The filter may keep out addresses and let pages pass. An answer is remembered, to be known as one when it is reloaded.
        if (!isAnswer && (readPage === undefined || enqueued.status !== "blocked")) return;
        visit.isUntaken = true;
        // An address that is kept out has no title to send either.
        delete visit.title;
      }
    }
    putInFront(tab, visit);
    if (again !== undefined) await view(all, Number(tabId));
    if (!isAnswer) void readText(visit, { tabId, state });
  }

  /** Takes the title of a page without a content script that came after the page was recorded, as from the viewer of a PDF. */
  async function retitle(all: Known, tabId: number): Promise<void> {
    const tab = all.tabs[tabId];
    const visit = tab?.visits.at(-1);
    if (visit?.title === undefined || tab?.hasScript === true || visit.mark !== undefined || clock.now() > visit.at + titleMs) return;
    const state = await tabs.get(tabId);
    const title = titleOf(state);
    if (title === "" || title === visit.title || addressOf(urlOf(state)) !== addressOf(visit.url)) return;
    visit.title = title;
    const { contextId, url } = visit;
    const context = { id: contextId, url, title, tabMetadata: { title } };
    await enqueue({ type: "update", payload: { context } }, { mergeKey: updateMergeKey(contextId) });
  }

  /** Turns a visit of which no content script tells into the page with its text, if it has any and the visit is not forgotten meanwhile. */
  async function readText({ contextId, url }: Visit, shown: { tabId: string; state: TabState | undefined }): Promise<void> {
    const text = await readPage?.({ url, tabId: shown.tabId }).catch(() => undefined);
    if (text === undefined) return;
    await handle(async (all) => {
      const visit = all.tabs[shown.tabId]?.visits.find((each) => each.contextId === contextId);
      const mark = markOfText(text);
      if (visit === undefined || visit.mark === mark) return;
      const titled = { ...(visit.title !== undefined && { title: visit.title }), ...text };
      // A message of its own, newer than a title that was sent meanwhile.
      const { id: _id, timestamp: _timestamp, ...message } = messageOfVisit(visit, { ...shown, text: titled });
      if (!isTaken(await enqueueVisit(contextId, message))) return;
      visit.mark = mark;
      delete visit.isUntaken;
    });
  }

  async function view(all: Known, tabId: number): Promise<void> {
    const visit = all.tabs[tabId]?.visits.at(-1);
    // Its site may have been blocked meanwhile.
    if (visit === undefined || !wasTaken(visit) || !(await isWanted(visit.url))) return;
    const url = urlOf(await tabs.get(tabId).catch(() => undefined));
    // The tab may show a page that is not recorded. Within its site, the page may have rewritten its address.
    if (url === "" ? await isTold(visit.url) : originOf(url) !== originOf(visit.url) || !(await isWanted(url))) return;
    await sendHeartbeat(visit.contextId, String(tabId));
  }

  /** Whether the browser tells that a tab shows this address: then a tab without an address shows another page. */
  async function isTold(url: string): Promise<boolean> {
    return (await hasAccessTo(apis, url)) === true;
  }

  async function load(): Promise<Known> {
    if (known !== undefined) return known;
    // Without `storage` only this worker's visits are known.
    const found = await storage?.session?.get(key).then(
      (items) => items[key],
      () => undefined,
    );
    // Known may have been closed while no worker ran.
    const open = new Set((await tabs.query({})).map(({ id }) => String(id)));
    known = { account: null, tabs: {}, viewed: {}, ...(found as Known | undefined) };
    stored = JSON.stringify(known);
    for (const tabId of Object.keys(known.tabs)) if (!open.has(tabId)) delete known.tabs[tabId];
    for (const [tabId, { pending }] of Object.entries(known.tabs)) if (pending !== undefined) schedule(tabId, pending);
    return known;
  }
}

const isTaken = ({ status }: Enqueued): boolean => status === "queued" || status === "merged";

const wasTaken = ({ isUntaken }: Visit): boolean => isUntaken !== true;

const tabOf = (all: Known, tabId: string): Tab => (all.tabs[tabId] ??= { visits: [] });

function putInFront(tab: Tab, visit: Visit): void {
  tab.visits = [...tab.visits.filter(({ contextId }) => contextId !== visit.contextId), visit].slice(-visitsMax);
}

/** A visit of the tab that continues: after a reload or going back, or when only the browser had seen it. */
function visitAgain(tab: Tab, { url, visit }: Capture): Visit | undefined {
  const visits = tab.visits.filter(wasTaken);
  const front = visits.at(-1);
  if (front?.url === url && front.mark === undefined) return front;
  return visit === "reload" || visit === "back_forward" ? visits.findLast((each) => each.url === url) : undefined;
}

const originOf = (url: string) => new URL(url).origin;

const markOfText = ({ title, content }: { title?: string; content: string }) => `${content.length} ${markOf(`${title ?? ""}\n${content}`)}`;

function isSeen({ tabId, frameId, url, documentLifecycle, frameType }: NavigationDetails): boolean {
  const isPage = tabId >= 0 && frameId === 0 && (frameType ?? "outermost_frame") === "outermost_frame";
  return isPage && (documentLifecycle ?? "active") === "active" && /^(?:https?|file):/.test(url);
}

/** The address without its fragment, unless that is a route, as `#/route` and `#!route` are. */
const addressOf = (url: string): string => url.replace(/#(?![/!]).*$/, "");
