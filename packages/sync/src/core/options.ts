import type { Store } from "./store.js";
import type { MessageFilter } from "./message-filter.js";
import type { SyncEvent } from "./outcomes.js";

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

/**
 * Steps at which a test may end the process, or do something else. `select` is the transaction that chooses a batch, `settle` the one that
 * takes in what the service said.
 */
export type Step = "before-enqueue" | "after-enqueue" | "after-select" | "before-send" | "after-answer" | "before-settle" | "after-settle";

/** What may be kept at most; past it the least important and oldest goes. Messages from pages of one site have a quarter of `items` and `bytes`. */
export interface Limits {
  /** Messages that wait. Default 5,000. */
  items: number;
  /** UTF-8 bytes of messages that wait. Default 50 MiB. */
  bytes: number;
  /** UTF-8 bytes of one message. Default 1.25 MiB: a content of 1 MiB, and all that stands beside it. */
  itemBytes: number;
  /** Milliseconds that a message may wait. Default 7 days, for which the service recognises a repeat. */
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

/** What may be the cause when no answer comes. */
export interface Unreached {
  /** `no-access`: the browser does not let the extension ask this server. */
  code: "network" | "no-access";
  /** The cause and what to do, in words for `lastError`. */
  hint: string;
}

/** What a queue is made with. */
export interface QueueOptions {
  /** Base address of the service with `/api/v1`, such as `https://periscope.example/api/v1`. */
  endpoint: string;
  /** Whose messages are enqueued and sent now; null while nobody is signed in. Messages of one account are never sent under another. */
  account: () => Promise<string | null> | string | null;
  /** The API key of an account; nothing while there is none. Asked for each attempt, never stored. */
  token: (account: string) => Promise<string | undefined> | string | undefined;
  /** What a message must pass before anything of it is stored: `privacyFilter(policy)`, or one of your own. */
  filter: MessageFilter;
  /** `idbStore()` in a browser. */
  store: Store;
  limits?: Partial<Limits>;
  batch?: Partial<BatchLimits>;
  /** Milliseconds for one attempt, key and whole answer included. Default 20,000; at most 24,000, since a worker's event ends soon after. */
  attemptMs?: number;
  /** Identifies this installation to the service. */
  extensionId?: string;
  /** Told of everything that is not the usual. What it throws is ignored. */
  onEvent?: (event: SyncEvent) => void;
  /** Default: `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** What may be the cause when no answer comes, and what to do. */
  whyUnreached?: (endpoint: string) => Promise<Unreached> | Unreached;
  /** Default: the system's. */
  clock?: Clock;
  /** From 0 to below 1. Default: `Math.random`. */
  random?: () => number;
  /** Default: `navigator.locks`. */
  locks?: Locks;
  /** For tests: awaited at each step. */
  hook?: (step: Step) => Promise<void> | void;
}

/** The options with every default filled in. */
export interface Settings extends Required<Omit<QueueOptions, "limits" | "batch" | "extensionId" | "onEvent">> {
  limits: Limits;
  batch: BatchLimits;
  extensionId: string | undefined;
  emit: (event: SyncEvent) => void;
}

const attemptMsMax = 24_000;
const batchItemsMax = 100;
const day = 86_400_000;

/**
 * Fills in the defaults.
 * @throws TypeError when the endpoint is no address of a service, `account`, `token` or `filter` is no function, or there are no locks
 */
export function settingsOf(options: QueueOptions): Settings {
  const { limits, batch, onEvent, extensionId } = options;
  // Without them every message would be held back or refused, as if the user or the service were the cause.
  for (const name of ["account", "token", "filter"] as const)
    if (typeof options[name] !== "function") throw new TypeError(`The queue needs \`${name}\`, a function.`);
  const locks = options.locks ?? (globalThis.navigator as Navigator | undefined)?.locks;
  if (locks === undefined) throw new TypeError("There is no `navigator.locks` here. Give the queue `locks`.");
  return {
    ...options,
    endpoint: baseOf(options.endpoint),
    limits: { items: 5_000, bytes: 50 * 1_048_576, itemBytes: 1_310_720, ageMs: 7 * day, dead: 500, ...limits },
    batch: { bytes: batch?.bytes ?? 524_288, items: Math.max(1, Math.min(batch?.items ?? batchItemsMax, batchItemsMax)) },
    attemptMs: Math.min(options.attemptMs ?? 20_000, attemptMsMax),
    extensionId,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    whyUnreached: options.whyUnreached ?? (() => ({ code: "network", hint: "Is it running, and is the address right?" })),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    locks,
    hook: options.hook ?? (() => {}),
    emit(event) {
      try {
        onEvent?.(event);
      } catch {
        // A listener that fails is not the queue's failure.
      }
    },
  };
}

/** The system's clock and timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

function baseOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError("The endpoint is no address of a service. Give one such as https://periscope.example/api/v1.");
  }
  return url.href.replace(/\/+$/, "");
}
