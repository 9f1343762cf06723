import type { EnqueueOptions } from "../core/enqueue.js";
import { idbStore } from "../core/idb-store.js";
import type { NewMessage } from "../core/message.js";
import { systemClock } from "../core/options.js";
import type { Enqueued, SyncEvent } from "../core/outcomes.js";
import type { Explanation } from "../core/privacy.js";
import { createQueue, type SyncQueue } from "../core/queue.js";
import { alarmOf } from "./alarm.js";
import { browserApis } from "./extension-apis.js";
import { addressesOf, asPrivacy, guardOf } from "./guard.js";
import type { ContextSyncOptions } from "./options.js";
import { receive } from "./receive.js";
import { blockOf, type RulesHandle, rulesHandle } from "./user-rules.js";
import { trackVisits } from "./visits.js";
import { wakesOf } from "./wakes.js";
import { whyUnreached } from "./why-unreached.js";

/** The background's handle. Everything it knows is on the disk: a worker that is started anew goes on where the last one ended. */
export interface ContextSync extends SyncQueue {
  /** Takes a message of the background's own, and sends it within seconds; captures of content scripts come by themselves. */
  enqueue(message: NewMessage, options?: EnqueueOptions): Promise<Enqueued>;
  /** What would be stored and sent of a message, and what would be removed. Nothing is stored. Rejects when the rules cannot be had. */
  explain(message: NewMessage): Promise<Explanation>;
  /** The user's sites and levels. */
  rules: RulesHandle;
  /** Tells a listener of what `onEvent` is told of, until the returned function is called. */
  on(listener: (event: SyncEvent) => void): () => void;
}

/**
 * Starts the sync of an extension. Call it in the first turn of the background, at the top level of its file: it registers all listeners at once,
 * and a listener that comes later misses the event that started the worker. Sends what waits at each start, seconds after something was
 * taken, and by an alarm of 30 s that exists while anything waits.
 *
 * @example
 * ```ts
 * export const sync = createContextSync({
 *   endpoint: "https://periscope.example/api/v1",
 *   account: async () => (await chrome.storage.local.get("account")).account ?? null,
 *   token: async () => (await chrome.storage.local.get("key")).key,
 *   privacy: definePrivacy({ minimumLevel: "private" }),
 * });
 * ```
 * @throws TypeError when the options cannot work, where there are no extension APIs, without the permission `alarms`, and in a page
 */
export function createContextSync(options: ContextSyncOptions): ContextSync {
  const { name = "periscope-sync", apis = browserApis(), clock = systemClock, store = idbStore({ name }), batch = {} } = options;
  const listeners = new Set(options.onEvent === undefined ? [] : [options.onEvent]);
  const emit = (event: SyncEvent) => {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch {
        // A listener that fails is not the sync's failure.
      }
    }
  };
  const privacy = asPrivacy(options.privacy);
  const rules = rulesHandle({
    store,
    source: options.rules,
    tryOut: async (next) => void (await privacy.filter({ type: "heartbeat" }, next)),
  });
  const guard = guardOf(privacy, { rules: rules.get, apis });
  const alarm = alarmOf(apis, name);
  const queue = createQueue({
    ...options,
    store,
    clock,
    filter: guard.filter,
    onEvent: emit,
    whyUnreached: (endpoint) => whyUnreached(apis, endpoint),
    async hook(step) {
      // A worker ends 30 s after its last call of the browser: this one is made before each request, which ends in less.
      if (step === "before-send") await alarm.arm();
      await options.hook?.(step);
    },
  });
  const wakes = wakesOf({ queue, alarm, clock, waitMs: batch.waitMs ?? 3_000 });
  const inFlight = new Set<Promise<unknown>>();

  const sync: ContextSync = {
    ...queue,
    rules: {
      get: rules.get,
      async set(changed) {
        const now = await rules.set(changed);
        // What waits of a site that is blocked now is not sent either.
        await sync.withdraw((message) => blockOf(now, addressesOf(message)) !== undefined);
        return now;
      },
    },
    explain: guard.explain,
    flush: wakes.flush,
    async enqueue(message, how) {
      const taken = wakes.taking(() => queue.enqueue(message, how));
      const settled = taken.catch(() => {}).finally(() => inFlight.delete(settled));
      inFlight.add(settled);
      return await taken;
    },
    async resume() {
      await queue.resume();
      void wakes.flush();
    },
    deadLetters: {
      ...queue.deadLetters,
      retry: (ids) => wakes.taking(() => queue.deadLetters.retry(ids)),
    },
    async withdraw(isMeant) {
      await visits.forget();
      const count = await queue.withdraw(isMeant);
      await wakes.settle();
      return count;
    },
    async forget(isMeant) {
      // What was handed in before is gone after.
      await Promise.all(inFlight);
      await visits.forget();
      const count = await queue.forget(isMeant);
      await wakes.settle();
      return count;
    },
    async purge(account) {
      await visits.forget();
      // What was handed in before is gone after.
      await Promise.all(inFlight);
      await queue.purge(account);
      await wakes.settle();
    },
    on(listener) {
      const own = (event: SyncEvent) => listener(event);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };

  const { navigations = true } = options;
  const settleMs = typeof navigations === "object" ? (navigations.settleMs ?? 3_000) : navigations ? 3_000 : undefined;
  const visits = trackVisits({ apis, clock, settleMs, key: name, take: sync.enqueue, readPage: options.readPage });
  receive({ sync, apis, emit, visits });
  const wake = () => wakes.flush();
  apis.alarms.onAlarm.addListener(async (fired) => {
    if (fired.name === name) await wake();
  });
  apis.runtime.onStartup.addListener(wake);
  apis.runtime.onInstalled.addListener(wake);
  apis.runtime.onSuspend?.addListener(async () => await visits.hurry());
  // A hint only: it says nothing of the service, and the browser's word that it is offline is never asked for.
  (globalThis as { addEventListener?: (type: string, listener: () => unknown) => void }).addEventListener?.("online", wake);
  void wake();
  return sync;
}
