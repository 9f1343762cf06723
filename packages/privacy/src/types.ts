import type { PrivacyLevel } from "./levels.js";
import type { RedactionCounts } from "./spans.js";

/** State of a tab when it was captured. */
export interface TabMetadataInput {
  id: string;
  url: string;
  title: string;
  isActive: boolean;
  isLoading: boolean;
  windowId: number;
  /** ISO 8601. */
  lastUpdated: string;
  /** `true` is a private window: nothing of it is captured. */
  incognito?: boolean | undefined;
  pinned?: boolean | undefined;
  audible?: boolean | undefined;
  referrer?: string | undefined;
  favIconUrl?: string | undefined;
  openerTabId?: string | undefined;
  lang?: string | undefined;
}

/** How `content` is to be read. */
export type ContentFormat = "text" | "html" | "markdown";

/** A context before it is filtered. */
export interface FilterInput {
  /** `page`, `selection`, `element`, `form`, `media`, `navigation` or `custom`; a form's content is a JSON array of fields. */
  type: string;
  url: string;
  title: string;
  content: string;
  contentFormat: ContentFormat;
  /** The level asked for; the result is never lower. */
  privacyLevel: PrivacyLevel;
  tabMetadata: TabMetadataInput;
  metadata: Record<string, string | number | boolean>;
}

/** A context as it may be stored. */
export type FilteredContext = Omit<FilterInput, "type" | "privacyLevel">;

/** What became of a context. `reasons` and `redactions` never hold a matched value. */
export type FilterOutcome =
  | {
      captured: true;
      context: FilteredContext;
      /** The effective level. */
      level: PrivacyLevel;
      /** Why the level is what it is, e.g. `category:banking`, `operator:minimum`, `page:filled-secret`. */
      reasons: string[];
      /** What was removed, as counts per kind. */
      redactions: RedactionCounts;
      /** `true` when the filter itself failed, and the context was reduced to `restricted` for that reason. */
      failedClosed: boolean;
      /** What failed, as the name of an error such as `RangeError`, whose message may quote content; only with `failedClosed`. */
      failure?: string;
    }
  | {
      captured: false;
      /** Why nothing may be stored, e.g. `private-window`, `browser-page`, `blocked-site`, `filter:malformed`. */
      reasons: string[];
    };
