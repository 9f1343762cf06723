/** What the extension uses of the browser's API. */
export type ExtensionApi = Pick<
  typeof chrome,
  "action" | "alarms" | "commands" | "contextMenus" | "i18n" | "offscreen" | "permissions" | "runtime" | "scripting" | "storage" | "tabs"
>;

/** The API of the browser that this runs in: Firefox calls it `browser`, as newer Chromium does; both have promises. */
export function extensionApi(): ExtensionApi {
  const { browser, chrome } = globalThis as unknown as { browser?: ExtensionApi; chrome?: ExtensionApi };
  const api = browser ?? chrome;
  if (api === undefined) throw new Error("There is no extension API here: this is a page of an extension.");
  return api;
}

/** An event of the browser. */
interface Event<Given extends unknown[]> {
  addListener(call: (...given: Given) => void): void;
}

/** Registers an async listener. Call it in the first turn of a worker. */
export function listen<Given extends unknown[]>(event: Event<Given>, act: (...given: Given) => Promise<void>): void {
  event.addListener((...given) => void act(...given));
}
