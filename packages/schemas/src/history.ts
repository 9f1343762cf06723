import * as z from "zod/mini";
import { ContextType } from "./context.js";
import { ContextId } from "./ids.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { Timestamp } from "./timestamp.js";

/** Query of `GET /context/history`. `cursor` takes the place of `offset` for stable paging at constant cost. */
export const HistoryQuery = z.object({
  limit: z._default(z.int().check(z.minimum(1), z.maximum(limits.historyLimitMax)), limits.historyLimitDefault),
  offset: z._default(z.int().check(z.minimum(0)), 0),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1_024))),
  since: z.optional(Timestamp),
  until: z.optional(Timestamp),
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** An element of a page of history: a context without its content. */
export const HistoryItem = z.object({
  contextId: ContextId,
  type: ContextType,
  url: z.string(),
  title: z.string(),
  timestamp: Timestamp,
  privacyLevel: PrivacyLevel,
});
export type HistoryItem = z.infer<typeof HistoryItem>;

/** A page of history, newest first. `nextCursor` is there while there is more. */
export const HistoryPage = z.object({
  contexts: z.array(HistoryItem),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  nextCursor: z.optional(z.string()),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
