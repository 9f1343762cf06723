import { toBaseUrl } from "@periscope/delivery";
import { createLog, type Log } from "./log.js";
import type { MessageFilter } from "./message.js";
import type { DropCounts, Settled, SyncEvent } from "./outcomes.js";
import type { Store } from "./store.js";

/** Time, as the queue sees it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms` milliseconds, unless the returned function was called before. */
  after(ms: number, call: () => void): () => void;
}

/** What the queue asks of `navigator.locks`. */
export interface Locks {
  request<T>(name: string, options: { signal?: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/** A value, or a function that has it and is asked each time that it is needed. Null or undefined: it is not set up yet. */
export type Setting = MaybeText | ((account: string) => MaybeText | Promise<MaybeText>);
type MaybeText = string | null | undefined;

/** Steps at which a test may end the process, or do something else: `select` chooses a batch, `settle` takes in what the service said. */
export type QueueStep =
  | "before-enqueue"
  | "after-enqueue"
  | "after-select"
  | "before-send"
  | "after-answer"
  | "before-settle"
  | "after-settle";

/** What may be kept at most; past it the least important and oldest goes. Messages from pages of one site have a quarter of `items` and `bytes`. */
export interface Limits {
  /** Messages that wait. Default 5,000. */
  items: number;
  /** UTF-8 bytes of messages that wait, and as many of dead letters. Default 50 MiB. */
  bytes: number;
  /** UTF-8 bytes of one message. Default 2 MiB: a content of 1 MiB as JSON, and all that stands beside it. */
  itemBytes: number;
  /**
   * Milliseconds after which a message is given up, of whatever account and also as a dead letter, counted from when it was handed in. Default and at most 7
   * days, for which the service recognises a repeat: sent later, a message whose answer was lost would bring back what has been deleted since.
   */
  ageMs: number;
  /** Dead letters. Default 500. */
  dead: number;
}

/** What goes into one request at most. */
export interface BatchLimits {
  /** Messages; at most 100, which the service takes. Default 100. */
  items: number;
  /** UTF-8 bytes of messages. Default 512 KiB. */
  bytes: number;
}

/** What a queue is made with. */
export interface QueueOptions {
  /**
   * Address of the service, such as `https://periscope.example`; without a version prefix, `/api/v1` is added. While there is none, messages are
   * kept and wait.
   */
  baseUrl: Setting;
  /** The API key; asked for each attempt, never stored. While there is none, messages are kept and wait. */
  apiKey: Setting;
  /**
   * Whose messages are enqueued and sent now; null while nobody is signed in: then nothing is kept. Messages of one account are never sent under
   * another. Name the server in it where people can switch servers, or what waits goes to the new one. Default: all are of one account.
   */
  account?: string | (() => Promise<string | null> | string | null);
  /** What a message must pass before anything of it is stored: `privacyFilter(policy)`, or one of your own. There is none by default. */
  filter: MessageFilter;
  /** `idbStore()` in a browser. */
  store: Store;
  limits?: Partial<Limits>;
  batch?: Partial<BatchLimits>;
  /** Milliseconds for one attempt, key and whole answer included. Default 20,000; at most 24,000, since a worker's event ends soon after. */
  timeoutMs?: number;
  /** Identifies this installation to the service; the same for good, or the service takes a repeated message for another. */
  extensionId?: Setting;
  /** Logs each step to the console, without content and keys. Without it there is one warning when something is set up wrongly. Default false. */
  debug?: boolean;
  /**
   * Called with what became of each message that the filter did not block and no newer one replaced. A worker that ends at that moment does not call
   * it, so use it for what is shown, not for what must not be missed. What it throws is ignored.
   */
  onSettled?: (settled: Settled) => void;
  /** Called for everything unusual. What it throws is ignored. */
  onEvent?: (event: SyncEvent) => void;
  /** Default: `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether the browser lets this program ask a server, if that is known; asked when no answer came. Default: it is not known. */
  hasAccess?: (baseUrl: string) => Promise<boolean | undefined>;
  /** Default: the system's. */
  clock?: Clock;
  random?: () => number;
  /** Default: `navigator.locks`. */
  locks?: Locks;
  /** For tests: awaited at each step. */
  hook?: (step: QueueStep) => Promise<void> | void;
}

export interface Settings extends Required<Omit<QueueOptions, "account" | "limits" | "batch" | "debug" | "onEvent">> {
  account: () => Promise<string | null>;
  limits: Limits;
  batch: BatchLimits;
  log: Log;
  emit: (event: SyncEvent) => void;
  /** What is lost and could not be written down yet, by account. */
  unwritten: Map<string, DropCounts>;
}

const timeoutMsMax = 24_000;
const batchItemsMax = 100;
/** What the service recognises a repeat for, in milliseconds. */
export const ageMsMax = 7 * 86_400_000;

/**
 * Fills in the defaults.
 * @throws TypeError when the address is none, `filter` is no function, or there are no locks
 */
export function settingsOf(options: QueueOptions): Settings {
  const { baseUrl, limits, batch } = options;
  if (typeof baseUrl === "string" && toBaseUrl(baseUrl) === undefined) throw new TypeError(wrongBaseUrl);
  // Without a filter every message would be blocked without a visible cause.
  if (typeof options.filter !== "function")
    throw new TypeError("Pass `filter`: privacyFilter() of @periscope/sync/core, or one of your own.");
  const log = createLog(options.debug ?? false);
  const locks = options.locks ?? (globalThis.navigator as Navigator | undefined)?.locks;
  if (locks === undefined) throw new TypeError("There is no `navigator.locks` here. Pass `locks`.");
  return {
    ...options,
    log,
    emit: guarded(options.onEvent, log.event),
    onSettled: guarded(options.onSettled, log.settled),
    account: accountOf(options.account),
    limits: {
      items: 5_000,
      bytes: 50 * 1_048_576,
      itemBytes: 2_097_152,
      dead: 500,
      ...limits,
      ageMs: Math.min(limits?.ageMs ?? ageMsMax, ageMsMax),
    },
    batch: { bytes: batch?.bytes ?? 524_288, items: Math.max(1, Math.min(batch?.items ?? batchItemsMax, batchItemsMax)) },
    timeoutMs: Math.min(options.timeoutMs ?? 20_000, timeoutMsMax),
    extensionId: options.extensionId ?? null,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    hasAccess: options.hasAccess ?? (() => Promise.resolve(undefined)),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    locks,
    hook: options.hook ?? (() => {}),
    unwritten: new Map(),
  };
}

/** Returns how to ask whose messages these are. One that fails counts as none. */
function accountOf(account: QueueOptions["account"] = "me"): () => Promise<string | null> {
  return async () => {
    try {
      return typeof account === "function" ? await account() : account;
    } catch {
      return null;
    }
  };
}

/** A call of the host's after one of ours: what the host's throws is not the queue's failure. */
const guarded =
  <T>(call: ((value: T) => void) | undefined, own: (value: T) => void) =>
  (value: T): void => {
    own(value);
    try {
      call?.(value);
    } catch {
      // The host's.
    }
  };

/** What is wrong with an address that is none. It is not quoted, since it may hold a password. */
export const wrongBaseUrl = "`baseUrl` is no address of a server. Pass one such as https://periscope.example, without user name and query.";

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
