import type { PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { splitUrl } from "./url/split-url.js";

/** What a URL alone says about a page. */
export interface Classification {
  /** The minimum level of its categories; `undefined` when it has none. */
  level: PrivacyLevel | undefined;
  /** E.g. `banking`, `webmail`, `intranet`. */
  categories: string[];
  /** `false`: nothing of the page may be sent or stored. */
  captured: boolean;
  /** Why it is not captured, or which rule gave the level. */
  reasons: string[];
}

/** Classifies a page by its URL. Never throws for a URL, whatever it is. */
export function classify(url: string, _options: { policy?: FilterPolicy } = {}): Classification {
  const { scheme } = splitUrl(url);
  if (!/^(?:https?|file):$/i.test(scheme)) return { level: undefined, categories: [], captured: false, reasons: ["browser-page"] };
  return { level: undefined, categories: [], captured: true, reasons: [] };
}
