/** The tables whose rows of a user a receipt of erasure counts, by their names in the receipt. Both engines have them. */
export const erasedTables = {
  contexts: "contexts",
  tombstones: "tombstones",
  replayRecords: "processed_messages",
  extensions: "extensions",
  extensionErrors: "extension_errors",
  privacyRules: "privacy_rules",
  retentionRules: "retention_rules",
  usage: "usage_by_day",
  keys: "api_keys",
  accounts: "auth_users",
  sessions: "auth_sessions",
  signInMethods: "auth_accounts",
  passkeys: "auth_passkeys",
  agentTokens: "auth_tokens",
};
