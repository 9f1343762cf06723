import { globalApis } from "../protocol.js";

/** An event of the browser. */
export interface ExtensionEvent<Listener> {
  addListener(listener: Listener): void;
}

interface NavigationEvent {
  addListener(listener: (details: NavigationDetails) => unknown, filter?: { url: { schemes: string[] }[] }): void;
}

/** A tab, as far as the background looks at it. */
export interface TabState {
  id?: number | undefined;
  windowId: number;
  incognito: boolean;
  pinned: boolean;
  active: boolean;
  url?: string | undefined;
  title?: string | undefined;
  openerTabId?: number | undefined;
}

/** Who sent a message. */
export interface MessageSender {
  id?: string | undefined;
  tab?: TabState | undefined;
  frameId?: number | undefined;
  url?: string | undefined;
  origin?: string | undefined;
  documentLifecycle?: string | undefined;
}

/** A navigation of a frame. */
export interface NavigationDetails {
  tabId: number;
  frameId: number;
  url: string;
  /** Milliseconds since the epoch. */
  timeStamp: number;
  documentLifecycle?: string | undefined;
  frameType?: string | undefined;
  transitionType?: string | undefined;
  transitionQualifiers?: readonly string[] | undefined;
}

/**
 * What of the browser's extension APIs is used: `chrome` and `browser` fit. `webNavigation` is there with the permission of that name, `storage.session`
 * with `storage`.
 */
export interface ExtensionApis {
  runtime: {
    id: string;
    getURL(path: string): string;
    onMessage: ExtensionEvent<(message: unknown, sender: MessageSender, sendResponse: (answer: unknown) => void) => true | undefined>;
    onStartup: ExtensionEvent<() => unknown>;
    onInstalled: ExtensionEvent<() => unknown>;
  };
  alarms: {
    get(name: string): Promise<object | undefined>;
    create(name: string, info: { delayInMinutes: number; periodInMinutes: number }): Promise<void>;
    clear(name: string): Promise<boolean>;
    onAlarm: ExtensionEvent<(alarm: { name: string }) => unknown>;
  };
  tabs: {
    get(tabId: number): Promise<TabState>;
    query(of: { active?: true; windowId?: number }): Promise<TabState[]>;
    onActivated: ExtensionEvent<(tab: { tabId: number }) => unknown>;
    onUpdated: ExtensionEvent<(tabId: number, change: { title?: string | undefined }) => unknown>;
    onRemoved: ExtensionEvent<(tabId: number) => unknown>;
  };
  windows?: { onFocusChanged: ExtensionEvent<(windowId: number) => unknown> };
  webNavigation?: {
    onCommitted: NavigationEvent;
    onHistoryStateUpdated: NavigationEvent;
    onReferenceFragmentUpdated: NavigationEvent;
  };
  storage?: {
    session?: {
      get(key: string): Promise<Record<string, unknown>>;
      set(items: Record<string, unknown>): Promise<void>;
    };
  };
  permissions?: { contains(permissions: { origins: string[] }): Promise<boolean> };
  extension?: { inIncognitoContext?: boolean; getBackgroundPage?(): unknown };
}

/**
 * The browser's own.
 * @throws TypeError outside of an extension's background, in a page of it, and without the permission `alarms`
 */
export function browserApis(): ExtensionApis {
  const apis = globalApis() as ExtensionApis | undefined;
  if (apis?.runtime === undefined) throw new TypeError("There are no extension APIs here. Call this in the background of an extension.");
  // Firefox runs the background in a page, which is this one; Chromium in a worker, where this is null.
  if ("document" in globalThis && apis.extension?.getBackgroundPage?.() === null) {
    throw new TypeError("Call `createContextSync` in the service worker only; pages of the extension use `connectContextSync`.");
  }
  if ((apis.alarms as unknown) === undefined)
    throw new TypeError("Add the permission `alarms` to the manifest: what waits is sent by one.");
  return apis;
}

/** Whether the browser lets the extension ask a server; undefined where it does not say. */
export async function hasAccessTo({ permissions }: Pick<ExtensionApis, "permissions">, baseUrl: string): Promise<boolean | undefined> {
  const { protocol, host, hostname } = new URL(baseUrl);
  // Chromium tells ports apart; Firefox refuses patterns with one.
  for (const name of [host, hostname]) {
    try {
      return await permissions?.contains({ origins: [`${protocol}//${name}/*`] });
    } catch {
      // The next pattern, or none.
    }
  }
  return undefined;
}
