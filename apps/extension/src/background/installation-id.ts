import type { SettingsStorage } from "../settings/settings-store.js";

const name = "installation";

/**
 * Returns how to ask for the id of this installation, such as `firefox-3f2a9c1d`. It is made once and kept, so that the server tells the browsers of a person
 * apart. Rejects when the storage fails.
 */
export function createInstallationId({ local }: Pick<SettingsStorage, "local">, userAgent: string): () => Promise<string> {
  let asked: Promise<string> | undefined;

  async function readOrMake(): Promise<string> {
    const { [name]: stored } = await local.get([name]);
    if (typeof stored === "string") return stored;
    const browser = userAgent.includes("Firefox/") ? "firefox" : userAgent.includes("Edg/") ? "edge" : "chrome";
    const made = `${browser}-${crypto.randomUUID().slice(0, 8)}`;
    await local.set({ [name]: made });
    return made;
  }

  // Two accounts may ask at once, and must not make two ids.
  return () => (asked ??= readOrMake().finally(() => (asked = undefined)));
}
