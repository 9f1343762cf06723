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

/** Unknown keys that are named. */
const namedMax = 3;

/** Refuses unknown keys, unlike the rest of the contract: if a misspelt condition were ignored, too much would be deleted. */
const onlyKnownKeys = <T extends z.core.$ZodShape>(shape: T) =>
  z.strictObject(shape, {
    error: ({ code, keys }) => {
      if (code !== "unrecognized_keys") return undefined;
      const named = keys.slice(0, namedMax).map((key) => key.slice(0, 64));
      const others = keys.length > namedMax ? " and others" : "";
      return `unknown key ${named.join(", ")}${others}. Known keys: ${Object.keys(shape).join(", ")}`;
    },
  });

/** How long contexts are kept after they were captured. Without a condition it holds for all of them. */
export const RetentionRule = onlyKnownKeys({
  keepDays: Days,
  type: z.optional(ContextType),
  privacyLevel: z.optional(PrivacyLevel),
  site: z.optional(Site),
});
export type RetentionRule = z.infer<typeof RetentionRule>;

const atMost = z.maxLength(limits.retentionRulesMax);

/** A user's retention rules. They replace those before as a whole; of several rules that match a context, the shortest holds. */
export const RetentionRules = z.object({ rules: z.array(RetentionRule).check(atMost) });
export type RetentionRules = z.infer<typeof RetentionRules>;

/** A {@link RetentionRule} in an answer. Conditions of a later version stay in it, so that nobody stores the rule again without them. */
export const StoredRetentionRule = z.looseObject(RetentionRule.shape);
export type StoredRetentionRule = z.infer<typeof StoredRetentionRule>;

/** A user's retention rules as they are stored, with what the operator has set. */
export const StoredRetention = z.object({
  rules: z.array(StoredRetentionRule).check(atMost),
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
export const DeleteWhere = onlyKnownKeys({
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
