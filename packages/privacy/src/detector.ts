import type { RedactionKind } from "./spans.js";
import type { Hits, TextScan } from "./text/scan.js";

/**
 * From where on a detector works. `floor`: at every level. `government` and `financial`: from `private`.
 * `contact`: from `private` in URLs and titles, from `filtered` in content. `identifier`: from `filtered`.
 */
export type DetectorTier = "floor" | "financial" | "government" | "contact" | "identifier";

/** Receives what a detector found. */
export type Report = (start: number, end: number, rule: string, kind?: RedactionKind) => void;

/**
 * Finds one kind of value. `find` must take time linear in the text whatever the text is: work per anchor
 * and per run of digits is bounded by a constant.
 */
export interface Detector {
  /** What it finds; a name for counts, policies and placeholders. */
  readonly kind: RedactionKind;
  /** Further kinds that it reports. */
  readonly alsoFinds?: readonly RedactionKind[];
  /** At which levels it works. */
  readonly tier: DetectorTier;
  /** Strings (case does not matter) without which, and without what {@link readsDigits} and {@link readsSigns} tell, there is nothing to find; looked for by the shared scan. */
  readonly anchors: readonly string[];
  /** Whether an anchor counts only where it starts a word: `card`, not `discard`. */
  readonly anchorsStartWords?: true;
  /** Whether it looks at runs of digits, with an anchor or without. */
  readonly readsDigits?: true;
  /** Whether it looks for signs that are in nearly every text, which a search finds faster than the shared scan. */
  readonly readsSigns?: true;
  /** Reports every value. Reports may overlap one another and those of other detectors. */
  find(scan: TextScan, hits: Hits, report: Report): void;
}
