import * as z from "zod/mini";
import { ContextType } from "./context.js";
import { HistoryItem } from "./history.js";
import { ExtensionId } from "./ids.js";
import { limits } from "./limits.js";
import { PrivacyLevel } from "./privacy-level.js";
import { Site } from "./privacy-rules.js";
import { fitsUtf8 } from "./text.js";
import { Timestamp } from "./timestamp.js";

const Days = z.int().check(z.minimum(1), z.maximum(limits.retentionDaysMax));
const count = z.int().check(z.minimum(0));

/** Refuses unknown keys, unlike the rest of the contract: without a condition that is misspelt, more would be deleted than is meant. */
const conditions = <T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys"
        ? `unknown key ${String(keys[0]).slice(0, 64)}. Known keys: ${Object.keys(shape).join(", ")}`
        : undefined,
  });

/** How long contexts are kept after they were captured. Without a condition it holds for all of them. */
export const RetentionRule = conditions({
  keepDays: Days,
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
  site: z.optional(Site),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

const rules = z.array(RetentionRule).check(z.maxLength(limits.retentionRulesMax));

/** A user's retention rules. They replace those before as a whole; of several rules that match a context, the shortest holds. */
export const RetentionRules = z.object({ rules });
export type RetentionRules = z.infer<typeof RetentionRules>;

/** A user's retention rules as they are stored, with what the operator has set. */
export const StoredRetention = z.object({
  rules,
  /** null when the user has never set any. */
  updatedAt: z.nullable(Timestamp),
  /** Days for users without rules of their own; null keeps for ever. */
  defaultDays: z.nullable(Days),
  /** Days after which everything is deleted, whatever the rules say; null for no such limit. */
  maxDays: z.nullable(Days),
});
export type StoredRetention = z.infer<typeof StoredRetention>;

/** `GET /data/retention` takes no parameters. */
export const RetentionQuery = z.object({});
export type RetentionQuery = z.infer<typeof RetentionQuery>;

const queryText = z.string().check(
  z.minLength(1),
  z.refine((text) => fitsUtf8(text, limits.queryBytesMax), `must be at most ${limits.queryBytesMax} bytes of UTF-8`),
);

/** Which contexts are deleted: those that meet every condition. */
export const DeleteWhere = conditions({
  query: z.optional(queryText),
  urlPattern: z.optional(queryText),
  site: z.optional(Site),
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
  startTime: z.optional(Timestamp),
  endTime: z.optional(Timestamp),
  extensionId: z.optional(ExtensionId),
}).check(z.refine((where) => Object.values(where).some((value) => value !== undefined), "must have at least one condition"));
export type DeleteWhere = z.infer<typeof DeleteWhere>;

/** Body of `POST /context/delete`. */
export const DeleteMany = z.object({
  where: DeleteWhere,
  dryRun: z.optional(z.boolean()),
  /** The number of matches that a dry run has answered. */
  confirm: z.optional(z.string().check(z.regex(/^\d{1,15}$/, "must be the count that a dry run has answered"))),
});
export type DeleteMany = z.infer<typeof DeleteMany>;

/** What a dry run found. */
export const DeletePreview = z.object({
  matches: count,
  /** Up to 10 of them. */
  sample: z.array(HistoryItem),
  confirm: z.string(),
});
export type DeletePreview = z.infer<typeof DeletePreview>;

/** What was deleted. */
export const DeletedMany = z.object({ deleted: count });
export type DeletedMany = z.infer<typeof DeletedMany>;

/** The answer of `POST /context/delete`. */
export const DeleteAnswer = z.union([DeletePreview, DeletedMany]);
export type DeleteAnswer = z.infer<typeof DeleteAnswer>;
