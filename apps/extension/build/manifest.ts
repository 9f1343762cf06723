/** A browser that the extension is built for. */
export type Browser = "chrome" | "edge" | "firefox";

export const browsers: readonly Browser[] = ["chrome", "edge", "firefox"];

/** Permissions that are there from the start, each with its reason; the README lists the same. None of them shows a page to the extension. */
export const permissions: Readonly<Record<string, string>> = {
  activeTab: "shows you this page's state, and takes your selection when you ask for it, without access to other pages",
  alarms: "sends again what could not be sent, and ends a pause",
  contextMenus: "the entries of the menu that record a selection, a picture or an element",
  offscreen: "Chrome and Edge: reads the text of PDFs in a page that is not shown, when you turn that on",
  scripting: "puts the recorder into pages, after your consent alone",
  storage: "keeps your settings and your key in this browser",
  unlimitedStorage: "keeps the browser from deleting what waits to be sent when the disk is nearly full",
  webNavigation: "notices pages that the recorder cannot get into, such as PDFs, and those that come back",
};

/** Permissions of a build: Firefox has no `offscreen`, and its background is a page already. */
const permissionsOf = (browser: Browser): string[] =>
  Object.keys(permissions).filter((name) => browser !== "firefox" || name !== "offscreen");

/** Sites that the extension asks for once you consent, and only for those it needs: all of them, those that you name, and your server. */
export const optionalHosts: readonly string[] = ["http://*/*", "https://*/*"];

/** Oldest versions that have everything the extension uses: menus that answer by promises (Chromium), a statement of what is collected (Firefox). */
export const oldest = { chromium: "123", firefox: "140.0", firefoxAndroid: "142.0" } as const;

/** What differs between builds. */
export interface ManifestOptions {
  browser: Browser;
  /** Of the package. */
  version: string;
  /** For tests, in which nobody can answer the browser's question: sites that are granted from the start. Default: none. */
  granted?: readonly string[];
}

/** The manifest of a build. */
export function manifestOf({ browser, version, granted = [] }: ManifestOptions): Record<string, unknown> {
  const icons = { 16: "icons/16.png", 32: "icons/32.png", 48: "icons/48.png", 128: "icons/128.png" };
  return {
    manifest_version: 3,
    name: "__MSG_extensionName__",
    short_name: "Periscope",
    description: "__MSG_extensionDescription__",
    default_locale: "en",
    version,
    icons,
    action: { default_title: "Periscope", default_icon: icons, default_popup: "popup.html" },
    options_ui: { page: "options.html", open_in_tab: true },
    background:
      browser === "firefox" ? { scripts: ["background.js"], type: "module" } : { service_worker: "background.js", type: "module" },
    permissions: permissionsOf(browser),
    ...(granted.length > 0 && { host_permissions: granted }),
    optional_host_permissions: optionalHosts,
    // Not even the browser's own switch lets it into private windows.
    incognito: "not_allowed",
    commands: {
      "record-selection": { suggested_key: { default: "Alt+Shift+S" }, description: "__MSG_commandSelection__" },
      "toggle-pause": { suggested_key: { default: "Alt+Shift+P" }, description: "__MSG_commandPause__" },
    },
    // Stated whole: the default of Firefox would turn the address of a server on this machine into one with https.
    content_security_policy: {
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'",
    },
    ...(browser === "firefox" ? { browser_specific_settings: firefoxSettings } : { minimum_chrome_version: oldest.chromium }),
  };
}

const firefoxSettings = {
  gecko: {
    id: "periscope@periscope.invalid",
    strict_min_version: oldest.firefox,
    // Pages go to the server that you name; Firefox asks for it when the extension is installed.
    data_collection_permissions: { required: ["browsingActivity", "websiteContent"] },
  },
  gecko_android: { strict_min_version: oldest.firefoxAndroid },
};
