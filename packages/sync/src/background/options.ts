import type { ContentFormat } from "@periscope/schemas";
import type { MessageFilter } from "../core/message-filter.js";
import type { BatchLimits, QueueOptions } from "../core/options.js";
import type { Privacy, UserRules } from "../core/privacy.js";
import type { Store } from "../core/store.js";
import type { ExtensionApis } from "./extension-apis.js";

type FromQueue =
  | "endpoint"
  | "account"
  | "token"
  | "limits"
  | "attemptMs"
  | "extensionId"
  | "onEvent"
  | "fetch"
  | "clock"
  | "random"
  | "locks"
  | "hook";

/** Text of a page. */
export interface PageText {
  content: string;
  contentFormat: ContentFormat;
  /** Default: that of the tab. */
  title?: string;
  metadata?: Record<string, string | number | boolean>;
}

/** What the background is made with. */
export interface ContextSyncOptions extends Pick<QueueOptions, FromQueue> {
  /** What a message must pass before anything of it is stored: `definePrivacy(policy)`, or a filter of your own. There is none by default. */
  privacy: Privacy | MessageFilter;
  /**
   * The user's rules, if they are kept elsewhere; asked for with each message, and while it fails everything is blocked. Default: those of `rules.set`,
   * which are kept beside the messages.
   */
  rules?: () => Promise<Partial<UserRules>> | Partial<UserRules>;
  /** `waitMs`: how long a message waits for others before it is sent. Default 3,000 ms, and at most. */
  batch?: Partial<BatchLimits> & { waitMs?: number };
  /**
   * Whether a message is made of each address that a tab settles at and no content script tells of; needs the permission `webNavigation`. `settleMs`: how long it must stay
   * there. Default: yes, 3,000 ms.
   */
  navigations?: boolean | { settleMs?: number };
  /**
   * Reads a page that no content script can, such as a PDF, once a tab stayed there; undefined for one that has no text. What it returns becomes
   * the page under the id of the visit. Default: of such pages there is the address and the title.
   */
  readPage?: (page: { url: string; tabId: string }) => Promise<PageText | undefined>;
  /** Name of database, alarm and memory, for hosts with more than one. Default `periscope-sync`. */
  name?: string;
  /** Default: `idbStore({ name })`. */
  store?: Store;
  /** Default: those of the browser. */
  apis?: ExtensionApis;
}
