export { answerMcpRequest } from "./answer-request.js";
export {
  type ContextSource,
  type HistoryAnswer,
  type SearchAnswer,
  SourceError,
  type SourceErrorCode,
  type SourceOptions,
} from "./context-source.js";
export { createMcpServer, type McpServerOptions } from "./create-server.js";
export type { ContextQuery, HistoryQuery, SearchQuery } from "./queries.js";
