import { limits } from "../limits.js";
import {
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
} from "../retention.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const rules = [{ keepDays: 365 }, { keepDays: 7, site: "news.example" }] as const;
const rulesField = {
  description: `The rules, at most ${limits.retentionRulesMax}. Of several that match a context, the shortest holds. Without rules, the operator's default holds.`,
  examples: [rules],
};
const ruleFields = {
  keepDays: "Days after which they are deleted.",
  type: "Only contexts of this type.",
  privacyLevel: "Only contexts at this level.",
  site: "Only pages of this site.",
};
const where = { site: "news.example", endTime: sample.capturedAt } as const;
const preview = {
  matches: 12,
  sample: [
    {
      contextId: sample.contextId,
      type: "page",
      url: sample.url,
      title: sample.title,
      timestamp: sample.olderCapturedAt,
      privacyLevel: "private",
    },
  ],
  confirm: "12",
} as const;

export const retentionDocs: readonly SchemaDoc[] = [
  describe(RetentionRules, {
    id: "RetentionRules",
    description: "A user's retention rules. They replace all previous rules.",
    examples: { rules: { summary: "A year, and a week for one site", value: { rules } } },
    fields: { rules: rulesField },
  }),
  describe(StoredRetention, {
    id: "StoredRetention",
    description: "A user's retention rules, and what the operator has set.",
    examples: {
      rules: { summary: "The current rules", value: { rules, updatedAt: sample.storedAt, defaultDays: null, maxDays: 730 } },
      none: { summary: "Everything is kept", value: { rules: [], updatedAt: null, defaultDays: null, maxDays: null } },
    },
    fields: {
      rules: rulesField,
      updatedAt: "When the rules were last set; null if they never were.",
      defaultDays: "Days that contexts of users without rules are kept; null for ever.",
      maxDays: "Days after which every context is deleted, whatever the rules say; null for no such limit.",
    },
  }),
  describe(RetentionRule, {
    id: "RetentionRule",
    description: "How long contexts are kept after they were captured. It holds for contexts that meet all of its conditions.",
    examples: [rules[1]],
    fields: ruleFields,
  }),
  describe(StoredRetentionRule, {
    id: "StoredRetentionRule",
    description: "A stored rule. Later versions may add conditions.",
    examples: [rules[1]],
    fields: ruleFields,
  }),
  describe(DeleteMany, {
    id: "DeleteMany",
    description: "Which contexts to delete. Send a dry run first, then the same with `confirm`.",
    examples: {
      dryRun: { summary: "Look what would be deleted", value: { where, dryRun: true } },
      confirmed: { summary: "Delete it", value: { where, confirm: "12" } },
    },
    fields: {
      where: "The conditions; at least one. A context must meet all of them.",
      dryRun: { description: "Deletes nothing and answers what matches.", examples: [true] },
      confirm: { description: "The `confirm` of the dry run. Required without `dryRun`.", examples: ["12"] },
    },
  }),
  describe(DeleteWhere, {
    id: "DeleteWhere",
    description: "Conditions on contexts.",
    examples: [where],
    fields: {
      query:
        "Words as in a search; each of them must be in the context. At most 10,000 contexts may match. On PostgreSQL, the words of a phrase may be in at most 20,000 contexts.",
      urlPattern: "Part of the address, or a pattern with `*`.",
      site: "A host with everything below it, optionally with a path.",
      type: "Only contexts of this type.",
      privacyLevel: "Only contexts at this level.",
      startTime: "Captured at this time or later.",
      endTime: "Captured before this time.",
      extensionId: "Captured by this extension instance.",
    },
  }),
  describe(DeleteAnswer, {
    id: "DeleteAnswer",
    description: "What a dry run found, or how many contexts were deleted.",
    examples: {
      dryRun: { summary: "A dry run", value: preview },
      deleted: { summary: "Twelve contexts were deleted", value: { deleted: 12 } },
    },
  }),
  describe(DeletePreview, {
    id: "DeletePreview",
    description: "What a dry run found.",
    examples: [preview],
    fields: {
      matches: "Contexts that match.",
      sample: "Up to 10 of them.",
      confirm: "Send it as `confirm` to delete them.",
    },
  }),
  describe(DeletedMany, {
    id: "DeletedMany",
    description: "How many contexts were deleted.",
    examples: [{ deleted: 12 }],
    fields: { deleted: "Contexts that this request has deleted." },
  }),
];

export const retentionParameterDocs: readonly ParameterDocs[] = [describeParameters(RetentionQuery, {})];
