/** Tables of which old rows are dropped: the time that says how old a row is, and the key of those that have no `rowid` on SQLite. */
export const expiringTables: ReadonlyArray<{ table: string; time: string; key?: string }> = [
  { table: "processed_messages", time: "processedAt", key: '"userId", "extensionId", "messageId"' },
  { table: "tombstones", time: "storedAt", key: '"userId", "contextId"' },
  ...["auth_sessions", "auth_verifications", "auth_tokens", "invites"].map((table) => ({ table, time: "expiresAt" })),
];
