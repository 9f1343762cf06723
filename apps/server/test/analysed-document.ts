import type { Filtered } from "../src/privacy/privacy-filter.js";
import { decodeVector } from "../src/search/analysis/read-vector.js";
import { occurrencesOf } from "../src/search/occurrences.js";
import type { QueryGroup } from "../src/search/query-plan.js";
import { searchDocument } from "../src/search/search-document.js";

const asFiltered = <T>(value: T) => value as Filtered<T>;
const empty = { type: "page", privacyLevel: "public", capturedAt: 0, plainText: null } as const;

/** A page as an engine indexes it, analysed as it is when it is stored. */
export const documentOf = (title: string, content: string, metadata: object = {}) =>
  searchDocument({
    ...empty,
    title: asFiltered(title),
    content: asFiltered(content),
    url: asFiltered("https://a.test/green-teas/x"),
    tabMetadata: asFiltered({ id: "1", url: "", title: "", isActive: true, isLoading: false, windowId: 0, lastUpdated: "" }),
    metadata: asFiltered(metadata),
  });

/** Whether a context has all groups, by its vector. */
export function isIn(groups: readonly QueryGroup[], vector: Uint8Array): boolean {
  const hashes = groups.flatMap(({ sequences }) => sequences.flat().flatMap((slot) => slot.hashes));
  const decoded = decodeVector(
    vector,
    [...new Set(hashes)].sort((a, b) => (a >>> 0) - (b >>> 0)),
  );
  return groups.every((group) => occurrencesOf(group, decoded) !== undefined);
}
