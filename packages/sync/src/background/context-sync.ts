import type { ContentFormat } from "@periscope/schemas";
import { readSetting } from "../core/connection.js";
import type { EnqueueOptions } from "../core/enqueue.js";
import { idbStore } from "../core/idb-store.js";
import { type FilterVerdict, type NewMessage, passFilter } from "../core/message.js";
import { type BatchLimits, type QueueOptions, type Settings, settingsOf } from "../core/options.js";
import type { Enqueued } from "../core/outcomes.js";
import { queueWith, type SyncQueue } from "../core/queue.js";
import type { Store } from "../core/store.js";
import { browserApis, type ExtensionApis, hasAccessTo } from "./extension-apis.js";
import { fitVerdict } from "./fit-verdict.js";
import { isOwnServer } from "./own-server.js";
import { receive } from "./receive.js";
import { trackVisits } from "./visits.js";
import { createWakes } from "./wakes.js";

/** Text of a page. */
export interface PageText {
  content: string;
  contentFormat: ContentFormat;
  /** Default: that of the tab. */
  title?: string;
  metadata?: Record<string, string | number | boolean>;
}

/** Name of alarm and memory. */
const name = "periscope-sync";

/** What the background is made with. */
export interface ContextSyncOptions extends Omit<QueueOptions, "store" | "batch" | "hasAccess"> {
  /** `waitMs`: how long a message waits for others before it is sent. Default 3,000 ms, and at most. */
  batch?: Partial<BatchLimits> & { waitMs?: number };
  /**
   * Milliseconds that a tab must stay at an address before it is recorded, if no content script tells of it. Such addresses are known with the permission
   * `webNavigation` alone. Default 3,000.
   */
  settleMs?: number;
  /**
   * Reads a page that no content script can, such as a PDF, once a tab stayed there; undefined for one that has no text. Not asked for the answers to forms. What it returns becomes
   * the page under the id of the visit; past 1 MiB it is cut, which `metadata.truncated` says. Default: of such pages there is the address and the title.
   */
  readPage?: (page: { url: string; tabId: string }) => Promise<PageText | undefined>;
  /** Whether anything of an address may be kept; of others nothing is remembered, not even in memory. Default: of all, and `filter` decides. */
  isWanted?: (url: string) => Promise<boolean> | boolean;
  /** Default: `idbStore()`. */
  store?: Store;
  /** Default: those of the browser. */
  apis?: ExtensionApis;
}

/**
 * The background's handle: a queue that receives captures by itself and sends within seconds. Its state is on disk, so a new worker continues where the last
 * one ended.
 */
export interface ContextSync extends SyncQueue {
  /** What would be stored and sent of a message, and what would be removed. Nothing is stored. Never rejects. */
  explain(message: NewMessage): Promise<FilterVerdict>;
}

/**
 * Starts the sync of an extension. Call it in the first turn of the background, at the top level of its file: it registers all listeners at once,
 * and a listener that comes later misses the event that started the worker. Sends what waits at each start, seconds after something was
 * taken, and by an alarm of 30 s that exists while anything waits.
 *
 * @example
 * ```ts
 * export const sync = createContextSync({
 *   baseUrl: "https://periscope.example",
 *   apiKey: async () => (await chrome.storage.local.get<{ key?: string }>("key")).key,
 *   filter: privacyFilter({ minimumLevel: "private" }),
 * });
 * ```
 * @throws TypeError when the options cannot work, where there are no extension APIs or no IndexedDB, without the permission `alarms`, and in a
 * page
 */
export function createContextSync(options: ContextSyncOptions): ContextSync {
  const { apis = browserApis(), batch = {}, settleMs = 3_000 } = options;
  const given = settingsOf({ ...options, store: options.store ?? idbStore(), hasAccess: (baseUrl) => hasAccessTo(apis, baseUrl) });
  const { account, clock, emit } = given;
  // Pages of the server show what was recorded, so a deleted or restricted text would be stored again. Without an address nothing is sent: every page waits.
  const isOfServer = async (url: string) => isOwnServer((await readSetting(options.baseUrl, (await account()) ?? "")) ?? "", url);
  const isWanted = async (url: string) => !(await isOfServer(url)) && (await (options.isWanted ?? (() => true))(url));
  const settings: Settings = {
    ...given,
    filter: async (message) =>
      apis.extension?.inIncognitoContext === true
        ? { keep: false, rule: "private-window" }
        : fitVerdict(message, await given.filter(message)),
    async hook(step) {
      // A worker ends 30 s after its last call of the browser: this one is made before each request, which ends in less.
      if (step === "before-send") await wakes.arm();
      await given.hook(step);
    },
    onSettled(settled) {
      given.onSettled(settled);
      // A message that was not taken says nothing of one before it.
      const isGone = settled.status === "dropped" && settled.reason !== "storage-failed" && settled.reason !== "too-large";
      if (isGone && settled.contextId !== undefined) void visits.forgetContext(settled.contextId);
    },
  };
  const queue = queueWith(settings);
  const wakes = createWakes({ queue, apis, name, clock, waitMs: batch.waitMs ?? 3_000 });
  const inFlight = new Set<Promise<unknown>>();

  async function isOwnPage(message: NewMessage): Promise<boolean> {
    if (message.type !== "create" && message.type !== "update") return false;
    // A program may pass what is no message: the filter fails on it, and blocks it.
    const { url, tabMetadata } = (message.payload as Partial<typeof message.payload> | undefined)?.context ?? {};
    return await isOfServer(url ?? tabMetadata?.url ?? "");
  }

  /** Blocks pages of the server itself here and not in the filter, whose blocks are reported as loss. */
  async function enqueue(message: NewMessage, how?: EnqueueOptions): Promise<Enqueued> {
    if (!(await isOwnPage(message))) return await queue.enqueue(message, how);
    emit({ type: "filtered", rule: "own-server" });
    return { status: "blocked", rule: "own-server" };
  }

  /** Waits for what is being enqueued, so that it is removed too. */
  async function removing<T>(remove: () => Promise<T>, where: (message: NewMessage) => boolean): Promise<T> {
    await visits.forget(where);
    await Promise.all(inFlight);
    const removed = await remove();
    await wakes.settle();
    return removed;
  }

  const sync: ContextSync = {
    ...queue,
    explain: (message) =>
      passFilter(message, async (given) => ((await isOwnPage(given)) ? { keep: false, rule: "own-server" } : await settings.filter(given))),
    flush: wakes.flush,
    async enqueue(message, how) {
      const taken = wakes.runWithAlarm(() => enqueue(message, how));
      const settled = taken.catch(() => {}).finally(() => inFlight.delete(settled));
      inFlight.add(settled);
      return await taken;
    },
    async resume() {
      await queue.resume();
      void wakes.flush();
    },
    deadLetters: { ...queue.deadLetters, retry: (ids) => wakes.runWithAlarm(() => queue.deadLetters.retry(ids)) },
    remove: (where) => removing(() => queue.remove(where), where),
    removeAccount: (account) =>
      removing(
        () => queue.removeAccount(account),
        () => true,
      ),
  };

  const visits = trackVisits({
    apis,
    clock,
    settleMs,
    key: name,
    account,
    enqueue: sync.enqueue,
    explain: sync.explain,
    readPage: options.readPage,
    isWanted,
  });
  receive({ sync, apis, emit, visits });
  const wake = () => wakes.flush();
  apis.alarms.onAlarm.addListener(async (fired) => {
    if (fired.name === name) await wake();
  });
  apis.runtime.onStartup.addListener(wake);
  apis.runtime.onInstalled.addListener(wake);
  // A hint only: it says nothing of the service, and the browser's word that it is offline is never asked for.
  (globalThis as { addEventListener?: (type: string, listener: () => unknown) => void }).addEventListener?.("online", wake);
  void wake();
  return sync;
}
