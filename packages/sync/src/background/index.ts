export { connectContextSync, type RemoteContextSync } from "./connect.js";
export { type ContextSync, type ContextSyncOptions, createContextSync, type PageText } from "./context-sync.js";
export { isOwnServer } from "./own-server.js";
export type { ExtensionApis, ExtensionEvent, MessageSender, NavigationDetails, TabState } from "./extension-apis.js";
