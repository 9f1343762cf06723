import { limits } from "../limits.js";
import { PrivacyRules, PrivacyRulesQuery, Site, SiteRule, StoredPrivacyRules } from "../privacy-rules.js";
import { sample } from "./example-values.js";
import { describe, describeParameters, type ParameterDocs, type SchemaDoc } from "./schema-doc.js";

const rules = {
  blockedSites: ["diary.example", "example.com/private"],
  siteRules: [
    { site: "wiki.example", level: "filtered" },
    { site: "mail.example", level: "private" },
  ],
  denyList: ["Ada Lovelace", "12 St James's Square"],
} as const;

const entries = `At most ${limits.privacyRulesMax}.`;

const fields = {
  blockedSites: {
    description: `Sites of which nothing is stored, in addition to those that the operator blocks. ${entries}`,
    examples: [rules.blockedSites],
  },
  siteRules: {
    description: `Privacy levels for single sites. A rule can raise the level of its site. It can also lower a level that the site's category raised, down to \`private\`, but never below the operator's minimum. If two rules match a page, the more specific one applies. ${entries}`,
    examples: [rules.siteRules],
  },
  denyList: {
    description: `Words to remove, such as names and addresses, each 2 to ${limits.deniedCharsMax} characters. They are matched as whole words, ignoring case. They are removed from contexts at level \`filtered\`, and from \`config\` and \`error\` messages. ${entries}`,
    examples: [rules.denyList],
  },
};

export const privacyDocs: readonly SchemaDoc[] = [
  describe(PrivacyRules, {
    id: "PrivacyRules",
    description: `A user's own privacy rules. They replace all previous rules. At most ${limits.privacyRulesBytesMax} bytes of JSON.`,
    examples: { rules: { summary: "Two blocked sites, two levels, two words to remove", value: rules } },
    fields,
  }),
  describe(StoredPrivacyRules, {
    id: "StoredPrivacyRules",
    description: "A user's own privacy rules as stored, with sites in normalized form.",
    examples: {
      rules: { summary: "The current rules", value: { ...rules, updatedAt: sample.storedAt } },
      none: { summary: "No rules were ever set", value: { blockedSites: [], siteRules: [], denyList: [], updatedAt: null } },
    },
    fields: { ...fields, updatedAt: "When the rules were last set; null if they never were." },
  }),
  describe(SiteRule, {
    id: "SiteRule",
    description: "The level for one site.",
    examples: [rules.siteRules[0]],
    fields: { site: "The site.", level: "The level for the site, unless something else requires a stricter one." },
  }),
  describe(Site, {
    id: "Site",
    description: `A host and its subdomains, optionally with a path prefix. Without scheme, port, \`?\` and \`#\`, at most ${limits.siteCharsMax} characters. It is normalized: the host in lower case and ASCII (\`xn--…\`) without \`www.\`, the path percent-encoded without a trailing slash.`,
    examples: ["example.com/health", "bank.example"],
  }),
];

export const privacyParameterDocs: readonly ParameterDocs[] = [describeParameters(PrivacyRulesQuery, {})];
