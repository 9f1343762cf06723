import type { NewMessage } from "@periscope/sync/core";
import { ifRefused, type SettingsStore } from "../settings/settings-store.js";
import { coveringSite } from "../sites/site-list.js";
import { forgetOnServer, type ServerReport } from "./forget-on-server.js";

/** What was forgotten of a site. */
export interface ForgetReport {
  /** Messages that waited here. */
  waiting: number;
  server: ServerReport;
}

/** What is needed to forget. */
export interface Forgetting {
  store: Pick<SettingsStore, "change" | "readWithKey">;
  sync: { forget(matches: (message: NewMessage) => boolean): Promise<number> };
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * Forgets a site: blocks it, then removes what waits of it, then deletes what the server has. In this order nothing of it can come after. Repeating it goes
 * on where it ended. With no room in the list of blocked sites nothing is done: what is deleted would come back.
 */
export async function forgetSite({ store, sync, fetch }: Forgetting, site: string): Promise<ForgetReport | "list-full"> {
  // In both lists, so that neither mode lets it through.
  const blocked = await store
    .change((settings) => ({
      ...settings,
      blockedSites: [...settings.blockedSites.filter((listed) => listed !== site), site].toSorted(),
      onlySites: settings.onlySites.filter((listed) => !isWithin(listed, site)),
    }))
    .catch(ifRefused);
  if (blocked === undefined) return "list-full";
  const waiting = await sync.forget((message) => isOfSite(message, site));
  const { settings, key } = await store.readWithKey();
  const server: ServerReport =
    settings.server === "" || key === ""
      ? { is: "not-allowed", deleted: 0 }
      : await forgetOnServer({ server: settings.server, key, site, fetch });
  return { waiting, server };
}

/** Whether a message is of a page of a site. */
function isOfSite(message: NewMessage, site: string): boolean {
  if (message.type !== "create" && message.type !== "update") return false;
  const { url, tabMetadata } = message.payload.context;
  return [url, tabMetadata?.url].some((address) => address !== undefined && coveringSite([site], address) !== undefined);
}

/** Whether a listed site lets the forgotten one be recorded: the same one, a part of it, or one that it is a part of. */
function isWithin(listed: string, site: string): boolean {
  return coveringSite([site], `https://${listed}/`) !== undefined || coveringSite([listed], `https://${site}/`) !== undefined;
}
