import { readSettings, Settings } from "./settings.js";

export interface SettingsStorage {
  local: {
    get(keys: string[]): Promise<Record<string, unknown>>;
    set(items: Record<string, unknown>): Promise<void>;
  };
  onChanged: { addListener(call: (changes: Record<string, unknown>, area: string) => void): void };
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

const settingsName = "settings";
const keyName = "key";

/**
 * Settings and key on the disk. Pages and worker each have a store of their own over the same place. Settings that have not changed are the same object again.
 */
export function createSettingsStore(storage: SettingsStorage) {
  let last = { json: "", settings: readSettings(undefined) };

  /** Settings and key of one moment; the key is `""` while there is none. */
  async function readWithKey(): Promise<{ settings: Settings; key: string }> {
    const found = await storage.local.get([settingsName, keyName]);
    const { [settingsName]: stored, [keyName]: key } = found;
    const json = JSON.stringify(stored) ?? "";
    if (json !== last.json) last = { json, settings: readSettings(stored) };
    return { settings: last.settings, key: typeof key === "string" ? key : "" };
  }

  return {
    read: async () => (await readWithKey()).settings,
    readWithKey,
    /**
     * Changes what is there at that moment: changes of the popup, the options and the worker wait for each other, and none is lost. With a `key`, both
     * change at once, so that no key is ever beside the address of another server. Undefined, and nothing changed, when the result could not be read
     * again, such as a list with a site too many.
     */
    change: (edit: (settings: Settings) => Settings, key?: string): Promise<Settings | undefined> =>
      navigator.locks.request("periscope-settings", async () => {
        const { settings } = await readWithKey();
        const { data: changed } = Settings.safeParse(edit(settings));
        if (changed !== undefined) await storage.local.set({ [settingsName]: changed, ...(key !== undefined && { [keyName]: key }) });
        return changed;
      }),
    /** Calls back after each change of settings or key, made here or elsewhere. To be called in the first turn of a worker. */
    onChange(call: () => Promise<void>): void {
      storage.onChanged.addListener((changes, area) => {
        if (area === "local" && (settingsName in changes || keyName in changes)) void call();
      });
    },
  };
}
