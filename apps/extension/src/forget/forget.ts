import { type Periscope, PermissionError, RateLimitError } from "@periscope/client";
import type { ContextSync } from "@periscope/sync/background";
import type { NewMessage } from "@periscope/sync/core";
import { withSiteRule } from "../recording/policy.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { coveringSite } from "../sites/sites.js";

/** What was forgotten of a site, and why the rest was not. */
export interface ForgetReport {
  /** Messages that waited here. */
  waiting: number;
  /** Contexts that were on the server. */
  deleted: number;
  /** `more`: the bound was reached. `later`: the server asked to wait. `not-allowed`: the key lacks a scope. */
  end: "done" | "more" | "later" | "not-allowed" | "unreachable";
}

/** What is needed to forget. */
export interface Forgetting {
  store: Pick<SettingsStore, "change">;
  sync: { remove(where: (message: NewMessage) => boolean): Promise<number> };
  /** Undefined while no server is set. */
  client: () => Promise<Pick<Periscope, "search" | "delete"> | undefined>;
  /** Contexts that are deleted in one go. Default 500. */
  most?: number;
}

/**
 * Forgets a site: blocks it, removes what waits of it, then deletes what the server has. In this order nothing of it can come after. Call it again to
 * continue. When the list of sites is full, nothing is deleted: it would come back.
 */
export async function forgetSite({ store, sync, client, most = 500 }: Forgetting, site: string): Promise<ForgetReport | "list-full"> {
  const blocked = await store.change((settings) => withSiteRule(settings, site, "blocked"));
  if (blocked === undefined) return "list-full";
  const waiting = await sync.remove((message) => isOfSite(message, site));
  const server = await client();
  let deleted = 0;
  if (server === undefined) return { waiting, deleted, end: "not-allowed" };
  try {
    // The search finds the host anywhere in an address, so each address is checked. All are found before the first is deleted, or pages would shift.
    const ids: string[] = [];
    for await (const { contextId, url } of server.search({ urlPattern: site.split("/", 1)[0] ?? site, limit: 200 })) {
      if (coveringSite([site], url) !== undefined) ids.push(contextId);
      if (ids.length > most) break;
    }
    for (const id of ids.slice(0, most)) {
      await server.delete(id);
      deleted += 1;
    }
    return { waiting, deleted, end: ids.length > most ? "more" : "done" };
  } catch (error) {
    return { waiting, deleted, end: RateLimitError.is(error) ? "later" : PermissionError.is(error) ? "not-allowed" : "unreachable" };
  }
}

/** Whether a message is of a page of a site. */
function isOfSite(message: NewMessage, site: string): boolean {
  if (message.type !== "create" && message.type !== "update") return false;
  const { url, tabMetadata } = message.payload.context;
  return [url, tabMetadata?.url].some((address) => address !== undefined && coveringSite([site], address) !== undefined);
}

/** What is needed to withdraw. */
export interface Withdrawing {
  store: Pick<SettingsStore, "change">;
  sync: Pick<ContextSync, "remove" | "removeAccount">;
}

/** Withdraws the consent, and deletes what waits: of the account of now, for which nothing is on its way afterwards, and of all that were before. */
export async function withdrawConsent({ store, sync }: Withdrawing): Promise<void> {
  const settings = await store.change((settings) => ({ ...settings, consent: null }));
  if (settings !== undefined && settings.account !== "") await sync.removeAccount(settings.account);
  await sync.remove(() => true);
}
