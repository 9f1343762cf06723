/** Every page that the browser lets extensions into. */
export const everySite: readonly string[] = ["http://*/*", "https://*/*"];

/** The browser's patterns for a site: the host, all below it, and its path with all below that. */
export function matchPatternsOf(site: string): string[] {
  const slash = site.indexOf("/");
  const host = slash < 0 ? site : site.slice(0, slash);
  const path = slash < 0 ? "" : site.slice(slash);
  // Nothing is below an address of numbers, and patterns with such a thing are refused.
  const hosts = isNumeric(host) ? host : `*.${host}`;
  return path === "" ? [`*://${hosts}/*`] : [`*://${hosts}${path}`, `*://${hosts}${path}/*`, `*://${hosts}${path}?*`];
}

/** What the browser is asked for so that a site can be recorded: it gives whole hosts alone. */
export function hostPatternsOf(site: string): string[] {
  const slash = site.indexOf("/");
  return matchPatternsOf(slash < 0 ? site : site.slice(0, slash));
}

function isNumeric(host: string): boolean {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}
