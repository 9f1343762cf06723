import type { Unreached } from "../core/index.js";
import type { ExtensionApis } from "./extension-apis.js";

/**
 * Why no answer came, as far as it can be told: browsers say the same of a server that is not there and of one that the extension may not ask. Never
 * rejects.
 */
export async function whyUnreached({ permissions }: Pick<ExtensionApis, "permissions">, endpoint: string): Promise<Unreached> {
  const { protocol, host, hostname } = new URL(endpoint);
  const running = "Is it running, and is the address right?";
  // Chromium tells ports apart; Firefox refuses patterns with one.
  for (const name of [host, hostname]) {
    try {
      const pattern = `${protocol}//${name}/*`;
      const hasAccess = await permissions?.contains({ origins: [pattern] });
      if (hasAccess === undefined) break;
      return hasAccess
        ? { code: "network", hint: running }
        : {
            code: "no-access",
            hint: `The extension has no access to ${pattern}: add it to \`host_permissions\` in the manifest, or have it granted. Otherwise: ${running}`,
          };
    } catch {
      // The next pattern, or none.
    }
  }
  return { code: "network", hint: `${running} Does \`host_permissions\` in the manifest name it?` };
}
