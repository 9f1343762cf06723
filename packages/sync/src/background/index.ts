export { connectContextSync, type RemoteContextSync } from "./connect.js";
export { type ContextSync, createContextSync } from "./context-sync.js";
export type { ExtensionApis, ExtensionEvent, MessageSender, NavigationDetails, TabState } from "./extension-apis.js";
export type { ContextSyncOptions, PageText } from "./options.js";
export type { RulesHandle } from "./user-rules.js";
