import type { ExtensionApis, MessageSender, NavigationDetails, TabState } from "../../src/background/extension-apis.js";
import type { Clock } from "../../src/core/options.js";

/** An alarm as the browser keeps it. */
export interface FakeAlarm {
  /** When it fires next, in milliseconds since the epoch. */
  at: number;
  cancel: () => void;
}

/** What of a navigation a test says; the rest is that of a page that somebody sees. */
export type NavigationInput = Pick<NavigationDetails, "tabId" | "url"> & Partial<NavigationDetails>;

/** A browser with one extension: what it keeps outlives the background, whose events go to the one that was started last. */
export interface FakeBrowser {
  /** The extension APIs for a background that starts now. Listeners that are added after its first turn are refused, as their events would be missed. */
  start(): ExtensionApis;
  /** Ends the background: it gets no more events. */
  stop(): void;
  /** Tabs, by id. */
  readonly tabs: Map<number, TabState>;
  readonly alarms: Map<string, FakeAlarm>;
  /** What `storage.session` has. */
  readonly session: ReadonlyMap<string, unknown>;
  /** How often an alarm was made. */
  alarmsMade(): number;
  /** Sends as a content script of the tab does; resolves to the answer, and to undefined when nobody answers. */
  fromPage(message: unknown, sender?: Partial<MessageSender>): Promise<unknown>;
  /** `runtime` of a page of the extension. */
  readonly pages: { sendMessage(message: unknown): Promise<unknown> };
  /** Tells of a navigation of a tab's main frame. */
  navigate(event: "onCommitted" | "onHistoryStateUpdated" | "onReferenceFragmentUpdated", details: NavigationInput): void;
  /** Closes a tab. */
  closeTab(tabId: number): void;
  /** Tells that the browser started or the extension was installed. */
  tell(event: "onStartup" | "onInstalled"): void;
  /** Brings a tab to the front of its window. */
  activate(tabId: number): void;
  /** Gives a tab another title. */
  retitle(tabId: number, title: string): void;
}

const id = "the-extension";
const origin = `chrome-extension://${id}/`;

/** An extension's browser in memory, with one tab, 7, at `https://articles.example/lamp`. Its alarms are timers of the clock. */
export function fakeBrowser(clock: Clock): FakeBrowser {
  const url = "https://articles.example/lamp";
  const tabs = new Map<number, TabState>([
    [7, { id: 7, windowId: 1, incognito: false, pinned: false, active: true, url, title: "Lighthouses" }],
  ]);
  const alarms = new Map<string, FakeAlarm>();
  const session = new Map<string, unknown>();
  let made = 0;
  let background = new Map<string, ((...values: never[]) => unknown)[]>();

  function tell(event: string, ...values: unknown[]): unknown[] {
    return (background.get(event) ?? []).map((listener) => listener(...(values as never[])));
  }

  function setAlarm(name: string, ms: number, { periodInMinutes }: { periodInMinutes: number }): void {
    alarms.get(name)?.cancel();
    const cancel = clock.after(ms, () => {
      setAlarm(name, periodInMinutes * 60_000, { periodInMinutes });
      tell("alarms.onAlarm", { name });
    });
    alarms.set(name, { at: clock.now() + ms, cancel });
  }

  function send(message: unknown, sender: MessageSender): Promise<unknown> {
    return new Promise((resolve) => {
      // Over the wire it goes as JSON.
      const wire = JSON.parse(JSON.stringify(message)) as unknown;
      const kept = tell("runtime.onMessage", wire, sender, (answer: unknown) => resolve(JSON.parse(JSON.stringify(answer))));
      if (!kept.includes(true)) resolve(undefined);
    });
  }

  return {
    tabs,
    alarms,
    session,
    alarmsMade: () => made,
    stop: () => void (background = new Map()),
    start() {
      const listeners: typeof background = new Map();
      background = listeners;
      let isFirstTurn = true;
      queueMicrotask(() => (isFirstTurn = false));
      const event = (name: string) => ({
        addListener(listener: (...values: never[]) => unknown) {
          if (!isFirstTurn) throw new Error(`The listener of ${name} came after the first turn.`);
          listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        },
      });
      return {
        runtime: {
          id,
          getURL: (path) => `${origin}${path}`,
          onMessage: event("runtime.onMessage"),
          onStartup: event("onStartup"),
          onInstalled: event("onInstalled"),
        },
        alarms: {
          get: async (name) => alarms.get(name),
          async create(name, { delayInMinutes, periodInMinutes }) {
            made += 1;
            setAlarm(name, delayInMinutes * 60_000, { periodInMinutes });
          },
          async clear(name) {
            alarms.get(name)?.cancel();
            return alarms.delete(name);
          },
          onAlarm: event("alarms.onAlarm"),
        },
        tabs: {
          async get(tabId) {
            const tab = tabs.get(tabId);
            if (tab === undefined) throw new Error(`No tab with id: ${tabId}.`);
            return { ...tab };
          },
          query: async ({ active }) => [...tabs.values()].filter((tab) => active === undefined || tab.active),
          onActivated: event("tabs.onActivated"),
          onUpdated: event("tabs.onUpdated"),
          onRemoved: event("tabs.onRemoved"),
        },
        windows: { onFocusChanged: event("windows.onFocusChanged") },
        webNavigation: {
          onCommitted: event("onCommitted"),
          onHistoryStateUpdated: event("onHistoryStateUpdated"),
          onReferenceFragmentUpdated: event("onReferenceFragmentUpdated"),
        },
        storage: {
          session: {
            get: async (key) => structuredClone(session.has(key) ? { [key]: session.get(key) } : {}),
            async set(items) {
              for (const [key, value] of Object.entries(items)) session.set(key, structuredClone(value));
            },
          },
        },
        extension: { inIncognitoContext: false },
      };
    },
    fromPage(message, sender = {}) {
      const tab = tabs.get(7);
      return send(message, { id, tab, frameId: 0, url: tab?.url, documentLifecycle: "active", ...sender });
    },
    pages: { sendMessage: (message) => send(message, { id, url: `${origin}popup.html` }) },
    navigate(event, details) {
      const known = tabs.get(details.tabId);
      if (known !== undefined && (details.frameId ?? 0) === 0) tabs.set(details.tabId, { ...known, url: details.url });
      const page = {
        frameId: 0,
        timeStamp: clock.now(),
        documentLifecycle: "active",
        frameType: "outermost_frame",
      };
      tell(event, { ...page, ...details });
    },
    activate(tabId) {
      for (const [id, tab] of tabs) tabs.set(id, { ...tab, active: id === tabId });
      tell("tabs.onActivated", { tabId });
    },
    retitle(tabId, title) {
      const tab = tabs.get(tabId);
      if (tab !== undefined) tabs.set(tabId, { ...tab, title });
      tell("tabs.onUpdated", tabId, { title });
    },
    closeTab(tabId) {
      tabs.delete(tabId);
      tell("tabs.onRemoved", tabId);
    },
    tell: (event) => void tell(event),
  };
}
