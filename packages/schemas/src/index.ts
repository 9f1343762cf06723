export { browserSchemes, capturedSchemes, CaptureUrl } from "./capture-url.js";
export { contentFormatOf } from "./content-format.js";
export { ContentFormat, Context, ContextType, CurrentQuery, DeleteQuery, GetQuery, Metadata, TabMetadata } from "./context.js";
export { ErrorBody, ErrorDetail } from "./error-body.js";
export { ErrorCode, isRetryableItemError, ItemErrorCode, statusOfError } from "./error-codes.js";
export {
  EraseReceipt,
  EraseRequest,
  ExportedContext,
  ExportedExtension,
  ExportedRetention,
  ExportedRules,
  ExportEnd,
  ExportHeader,
  ExportLine,
  ExportQuery,
  ImportFailure,
  ImportQuery,
  ImportReport,
} from "./export.js";
export { HistoryItem, HistoryPage, HistoryQuery } from "./history.js";
export { ContextId, ExtensionId, MessageId, reservedContextIds, SentContextId, TabId, UserId } from "./ids.js";
export { KeyInfo, KeyQuery, RateLimit, RateLimits, Scope, ServerInfo } from "./key.js";
export { limits } from "./limits.js";
export {
  ByeFrame,
  ByeReason,
  ClientFrame,
  ContextEvent,
  CurrentEvent,
  DeletedContext,
  DeletedEvent,
  EventId,
  LiveChannel,
  LiveContext,
  LiveErrorFrame,
  LiveEvent,
  LiveFilter,
  LiveQuery,
  LiveTicket,
  LiveTicketQuery,
  PingFrame,
  PongFrame,
  ServerFrame,
  SubscribedFrame,
  SubscribeFrame,
  UnsubscribeFrame,
} from "./live.js";
export { PrivacyLevel, Redactions } from "./privacy-level.js";
export { PrivacyRules, PrivacyRulesQuery, Site, SiteRule, StoredPrivacyRules } from "./privacy-rules.js";
export {
  DeleteAnswer,
  DeletedMany,
  DeleteMany,
  DeletePreview,
  DeleteWhere,
  RetentionQuery,
  RetentionRule,
  RetentionRules,
  StoredRetention,
  StoredRetentionRule,
} from "./retention.js";
export { SearchHit, SearchPage, SearchQuery } from "./search.js";
export { BatchEnvelope, BatchMessage, SyncMessage, UncheckedBatch, UncheckedBatchMessage } from "./sync-batch.js";
export {
  ConfigMessage,
  ConfigPayload,
  CreateMessage,
  CreatePayload,
  DeleteMessage,
  DeletePayload,
  ErrorMessage,
  ErrorPayload,
  HeartbeatMessage,
  HeartbeatPayload,
  ItemMessage,
  MessageType,
  UpdateMessage,
  UpdatePayload,
} from "./sync-message.js";
export { BatchResult, ItemError, ItemResult, SyncAnswer, SyncResult } from "./sync-result.js";
export { ContextPatch, ContextReference, SyncedContext, SyncedTabMetadata } from "./synced-context.js";
export { fitsUtf8, utf8Bytes } from "./text.js";
export { Timestamp } from "./timestamp.js";
