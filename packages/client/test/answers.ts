import type { BatchResult, Context, HistoryPage, KeyInfo, SearchPage, SyncResult } from "@periscope/schemas";

const timestamp = "2026-01-31T12:34:56.789Z";

const item = {
  contextId: "ctx_1",
  type: "page",
  url: "https://example.com/keeper",
  title: "The keeper",
  timestamp,
  privacyLevel: "private",
} as const;

/** Answers as the service gives them, whole and well-formed. */
export const contextAnswer = (changes: Partial<Context> = {}): Context => ({
  ...item,
  userId: "usr_1",
  content: "The keeper lights the lamp at dusk.",
  contentFormat: "text",
  tabId: "7",
  extensionId: "default",
  tabMetadata: {
    id: "7",
    url: "https://example.com/keeper",
    title: "The keeper",
    isActive: true,
    isLoading: false,
    windowId: 0,
    lastUpdated: timestamp,
  },
  metadata: { wordCount: 7, draft: false, author: "kay" },
  lastSeenAt: timestamp,
  ...changes,
});

const standing = { limit: 600, remaining: 599, reset: 1_769_862_900 };

export const keyAnswer = (changes: Partial<KeyInfo> = {}): KeyInfo => ({
  userId: "usr_1",
  keyId: "key_1",
  name: "Laptop",
  scopes: ["read"],
  maxPrivacyLevel: "restricted",
  createdAt: timestamp,
  expiresAt: null,
  limits: { sync: standing, "batch-sync": standing, read: standing, search: standing, delete: standing },
  server: { version: "0.1.0", live: false },
  ...changes,
});

export const historyAnswer = (changes: Partial<HistoryPage> = {}): HistoryPage => ({
  contexts: [item],
  total: 1,
  limit: 50,
  offset: 0,
  ...changes,
});

export const searchAnswer = (changes: Partial<SearchPage> = {}): SearchPage => ({
  results: [{ ...item, snippet: "lights the lamp", relevance: 0.75 }],
  total: 1,
  totalIsExact: true,
  query: "lamp",
  limit: 20,
  offset: 0,
  ...changes,
});

export const syncAnswer = (changes: Partial<SyncResult> = {}): SyncResult => ({
  messageId: "m1",
  status: "success",
  contextId: "ctx_1",
  timestamp,
  privacyLevel: "private",
  reasons: ["requested"],
  redactions: { email: 1 },
  ...changes,
});

export const batchAnswer = (changes: Partial<BatchResult> = {}): BatchResult => ({
  messageId: "b1",
  status: "partial",
  results: [
    { messageId: "m1", status: "success", contextId: "ctx_1", timestamp, privacyLevel: "private", redactions: {} },
    { messageId: "m2", status: "error", timestamp, error: { code: "validation_error", message: "required", retryable: false } },
  ],
  synced: 1,
  failed: 1,
  ...changes,
});
