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
    description: `Sites of which nothing is stored, on top of those that the operator blocks. ${entries}`,
    examples: [rules.blockedSites],
  },
  siteRules: {
    description: `Levels for single sites. One raises the level of its site; or it lowers it where a category of sites has raised it, but to \`private\` at the lowest, and never below what the operator asks for. Of two that cover a page the more specific holds. ${entries}`,
    examples: [rules.siteRules],
  },
  denyList: {
    description: `Names, addresses and other words of the user's own, each of 2 to ${limits.deniedCharsMax} characters, that are removed from level \`filtered\` on, and from what \`config\` and \`error\` messages carry: as whole words, whatever their case. ${entries}`,
    examples: [rules.denyList],
  },
};

export const privacyDocs: readonly SchemaDoc[] = [
  describe(PrivacyRules, {
    id: "PrivacyRules",
    description: `A user's own privacy rules; they replace those before as a whole. At most ${limits.privacyRulesBytesMax} bytes of JSON.`,
    examples: { rules: { summary: "Two sites that are not kept, two levels, two things that nobody is to read", value: rules } },
    fields,
  }),
  describe(StoredPrivacyRules, {
    id: "StoredPrivacyRules",
    description: "A user's own privacy rules as they are stored: sites in the form in which they match.",
    examples: {
      rules: { summary: "The rules that hold", value: { ...rules, updatedAt: sample.storedAt } },
      none: { summary: "None were ever set", value: { blockedSites: [], siteRules: [], denyList: [], updatedAt: null } },
    },
    fields: { ...fields, updatedAt: "When they were set; null when they never were." },
  }),
  describe(SiteRule, {
    id: "SiteRule",
    description: "The level for one site.",
    examples: [rules.siteRules[0]],
    fields: { site: "The site.", level: "The level at which the site is stored, unless something else asks for a stricter one." },
  }),
  describe(Site, {
    id: "Site",
    description: `A host with everything below it, optionally with a path prefix; without scheme, port, \`?\` and \`#\`, at most ${limits.siteCharsMax} characters. It is stored as it is matched: the host in lower case and ASCII (\`xn--…\`) without \`www.\`, the path percent-encoded without a slash at its end.`,
    examples: ["example.com/health", "bank.example"],
  }),
];

export const privacyParameterDocs: readonly ParameterDocs[] = [describeParameters(PrivacyRulesQuery, {})];
