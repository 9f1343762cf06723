export type {
  Context,
  ContextType,
  DeletedMany,
  DeletePreview,
  EraseReceipt,
  ErrorCode,
  ExportedContext,
  ExportedExtension,
  ExportedRetention,
  ExportedRules,
  HistoryItem,
  ImportReport,
  ItemErrorCode,
  KeyInfo,
  LiveContext,
  LiveEvent,
  LiveFilter,
  PrivacyLevel,
  RetentionRule,
  Scope,
  SearchHit,
  StoredRetention,
  SyncedContext,
  SyncResult as SyncReceipt,
  TabMetadata,
} from "@periscope/schemas";
export type { Call, WithResponse } from "./call.js";
export { type ExportedItem, PeriscopeData } from "./data.js";
export {
  ApiError,
  type ApiErrorCode,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "./errors/api-error.js";
export { AbortedError, ConnectionError, type Issue, ResponseShapeError, TimeoutError } from "./errors/call-errors.js";
export { PeriscopeError } from "./errors/periscope-error.js";
export type { LiveOptions, ResyncEvent } from "./live.js";
export type { Logger, LogLevel } from "./log.js";
export type { CallOptions, PeriscopeOptions, ResponseInfo } from "./options.js";
export type { Page, Paged } from "./paged.js";
export type { HistoryPage, SearchPage } from "./pages.js";
export { type Deleted, Periscope } from "./periscope.js";
export type { ContentWindow, CurrentQuery, DeleteConditions, ExportQuery, HistoryQuery, SearchQuery, Time } from "./queries.js";
export type { RateLimit } from "./rate-limit.js";
export { BatchError, type BatchItem, type BatchItemStatus, type BatchOutcome, type FailureCode } from "./sync/batch-outcome.js";
export type { NewMessage } from "./sync/new-message.js";
export type { Messages } from "./sync/sync-all.js";
