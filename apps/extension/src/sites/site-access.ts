import type { ExtensionApi } from "../extension-api.js";

/** What the browser is asked for so that the extension may reach an address. Patterns name no port: this is the host with each of them. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Whether the browser lets the extension into a page, or ask a server. */
export async function hasAccessTo(permissions: Pick<ExtensionApi["permissions"], "contains">, url: string): Promise<boolean> {
  return /^https?:/.test(url) && URL.canParse(url) && (await permissions.contains({ origins: [originPattern(url)] }));
}
