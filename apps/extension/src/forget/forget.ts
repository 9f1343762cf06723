import { ConflictError, type Periscope, PermissionError, RateLimitError } from "@periscope/client";
import type { ContextSync } from "@periscope/sync/background";
import type { NewMessage } from "@periscope/sync/core";
import { withSiteRule } from "../recording/policy.js";
import type { SettingsStore } from "../settings/settings-store.js";
import { coveringSite } from "../sites/sites.js";

/** What was forgotten of a site, and why the rest was not. */
export interface ForgetReport {
  /** Messages here, and contexts on the server. */
  waiting: number;
  deleted: number;
  /** `later`: the server asked to wait, or got another page meanwhile. `not-allowed`: the key lacks a scope. */
  end: "done" | "later" | "not-allowed" | "unreachable";
}

interface Forgetting {
  store: Pick<SettingsStore, "change">;
  sync: Pick<ContextSync, "remove">;
  /** Undefined while no server is set. */
  client: () => Promise<Pick<Periscope, "data"> | undefined>;
}

/**
 * Forgets a site: blocks it, removes what waits of it, then deletes what the server has. In this order nothing of it can come after. When the list of sites is
 * full, nothing is deleted: it would come back.
 */
export async function forgetSite({ store, sync, client }: Forgetting, site: string): Promise<ForgetReport | "list-full"> {
  const blocked = await store.change((settings) => withSiteRule(settings, site, "blocked"));
  if (blocked === undefined) return "list-full";
  const waiting = await sync.remove((message) => isOfSite(message, site));
  const server = await client();
  if (server === undefined) return { waiting, deleted: 0, end: "not-allowed" };
  try {
    const { confirm } = await server.data.previewDelete({ site });
    const { deleted } = await server.data.deleteWhere({ site }, confirm);
    return { waiting, deleted, end: "done" };
  } catch (error) {
    const isLater = RateLimitError.is(error) || ConflictError.is(error);
    return { waiting, deleted: 0, end: isLater ? "later" : PermissionError.is(error) ? "not-allowed" : "unreachable" };
  }
}

function isOfSite(message: NewMessage, site: string): boolean {
  if (message.type !== "create" && message.type !== "update") return false;
  const { url, tabMetadata } = message.payload.context;
  return [url, tabMetadata?.url].some((address) => address !== undefined && coveringSite([site], address) !== undefined);
}

interface Withdrawing {
  store: Pick<SettingsStore, "change" | "read">;
  sync: Pick<ContextSync, "remove" | "removeAccount">;
}

/** Withdraws the consent, and deletes what waits. */
export async function withdrawConsent({ store, sync }: Withdrawing): Promise<void> {
  const settings = await store.change((settings) => ({ ...settings, consent: null }));
  await removeAll(sync, settings?.account ?? "");
}

/** Deletes what still waits without a consent, at the start of a worker: the one before may have ended, or the disk failed, in the middle. */
export async function finishWithdrawal({ store, sync }: Withdrawing): Promise<void> {
  const { consent, account } = await store.read();
  // A new installation has no account.
  if (consent === null && account !== "") await removeAll(sync, account);
}

/** Removes the messages of the account of now, for which nothing is on its way afterwards, and of all that were before. */
async function removeAll(sync: Withdrawing["sync"], account: string): Promise<void> {
  if (account !== "") await sync.removeAccount(account);
  await sync.remove(() => true);
}
