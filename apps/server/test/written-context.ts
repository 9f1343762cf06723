import type { StoredContext, UserChanges, WrittenContext } from "../src/contexts/context.store.js";
import { searchDocument } from "../src/search/search-document.js";

export const noChanges: Omit<UserChanges, "revision"> = {
  now: 2_000,
  policy: "p",
  created: [],
  replaced: [],
  viewed: [],
  removed: [],
  revived: [],
  processed: [],
  extensions: [],
  errors: [],
};

/** A context with its entry in the search index; what a test does not say has defaults. */
export function writtenContext(
  userId: string,
  contextId: string,
  given: Partial<Record<keyof StoredContext, unknown>> = {},
): WrittenContext {
  const context = {
    userId,
    contextId,
    type: "page",
    tabId: "t",
    extensionId: "e",
    capturedAt: 1_000,
    privacyLevel: "private",
    writtenAt: 1_000,
    viewedAt: null,
    lastSeenAt: null,
    contentFormat: "text",
    url: `https://site.test/${contextId}`,
    title: "",
    tabMetadata: {},
    metadata: {},
    levelReasons: [],
    plainText: null,
    content: "",
    ...given,
  } as StoredContext;
  return { ...context, search: searchDocument(context) };
}
