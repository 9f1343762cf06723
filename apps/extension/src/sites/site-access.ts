import type { ExtensionApi } from "../extension-api.js";

/** Whether the browser lets the extension into a page. */
export async function hasAccessTo(permissions: Pick<ExtensionApi["permissions"], "contains">, url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && (await permissions.contains({ origins: [`${protocol}//${hostname}/*`] }));
}
