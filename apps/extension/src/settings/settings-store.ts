import { migrate } from "./migrate.js";
import type { Settings } from "./settings.js";

/** What the store needs of the browser: `storage.local` and `storage.onChanged`. */
export interface SettingsStorage {
  local: {
    get(keys: string): Promise<Record<string, unknown>>;
    set(items: Record<string, unknown>): Promise<void>;
    remove(keys: string): Promise<void>;
  };
  onChanged: { addListener(call: (changes: Record<string, unknown>, area: string) => void): void };
}

/** What the store needs of `navigator.locks`. */
export interface SettingsLocks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Settings and key on the disk. Pages and worker each have a store of their own over the same place. */
export interface SettingsStore {
  read(): Promise<Settings>;
  /** Changes what is there at that moment: changes of the popup, the options and the worker wait for each other, and none is lost. */
  change(edit: (settings: Settings) => Settings): Promise<Settings>;
  /** The key; `""` while there is none. */
  readKey(): Promise<string>;
  writeKey(key: string): Promise<void>;
  /** Calls back after each change of settings or key, made here or elsewhere. To be called in the first turn of a worker. */
  onChange(call: () => void): void;
}

const settingsName = "settings";
const keyName = "key";

/** A store over the browser's. */
export function createSettingsStore(storage: SettingsStorage, locks: SettingsLocks): SettingsStore {
  const read = async () => migrate((await storage.local.get(settingsName))[settingsName]);
  return {
    read,
    change: (edit) =>
      locks.request("periscope-settings", async () => {
        const changed = edit(await read());
        await storage.local.set({ [settingsName]: changed });
        return changed;
      }),
    async readKey() {
      const key = (await storage.local.get(keyName))[keyName];
      return typeof key === "string" ? key : "";
    },
    async writeKey(key) {
      if (key === "") await storage.local.remove(keyName);
      else await storage.local.set({ [keyName]: key });
    },
    onChange(call) {
      storage.onChanged.addListener((changes, area) => {
        if (area === "local" && (settingsName in changes || keyName in changes)) call();
      });
    },
  };
}
