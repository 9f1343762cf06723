import type { PrivacyLevel } from "@periscope/privacy";

/** A kind, how books and gists find it, and the lowest level at which it goes from content. */
interface TextbookRule {
  kind: string;
  from: "private" | "filtered";
  pattern: RegExp;
}

/**
 * One regular expression a kind, as found in answers and gists that people copy, one `replace` after another. Where the usual
 * one is quadratic its repetition is bounded, so that it ends; nothing is checked beside the shape, so false alarms are many.
 */
const rules: readonly TextbookRule[] = [
  {
    kind: "private_key",
    from: "private",
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8192}?-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  },
  { kind: "jwt", from: "private", pattern: /\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g },
  { kind: "aws_key", from: "private", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: "github_token", from: "private", pattern: /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g },
  { kind: "slack_token", from: "private", pattern: /\bxox[baprs]-[A-Za-z0-9-]{10,200}/g },
  { kind: "stripe_key", from: "private", pattern: /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}\b/g },
  { kind: "google_key", from: "private", pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: "npm_token", from: "private", pattern: /\bnpm_[A-Za-z0-9]{36}\b/g },
  { kind: "llm_key", from: "private", pattern: /\bsk-[A-Za-z0-9_-]{20,200}/g },
  { kind: "url_auth", from: "private", pattern: /(?<=:\/\/)[^\s/:@]{1,256}:[^\s/@]{1,256}(?=@)/g },
  { kind: "token", from: "private", pattern: /(?<=[?&#](?:access_token|token|api_key|apikey|key|sig|signature|session)=)[^&#\s"'<>)]+/gi },
  {
    kind: "password",
    from: "private",
    pattern: /(?<=\b(?:password|passwd|pwd|secret|api_key)["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"',;]{4,200}/gi,
  },
  { kind: "card", from: "private", pattern: /\b(?:\d[ -]?){12,18}\d\b/g },
  { kind: "iban", from: "private", pattern: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g },
  { kind: "us_ssn", from: "private", pattern: /\b\d{3}-\d{2}-\d{4}\b/g },
  { kind: "email", from: "filtered", pattern: /\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,253}\.[A-Za-z]{2,24}\b/g },
  { kind: "phone", from: "filtered", pattern: /(?:\+?\d{1,3}[-. ]?)?\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}\b/g },
  { kind: "ipv4", from: "filtered", pattern: /\b(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)\b/g },
  { kind: "ipv6", from: "filtered", pattern: /\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b/gi },
  { kind: "mac", from: "filtered", pattern: /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi },
  {
    kind: "date_of_birth",
    from: "filtered",
    pattern: /(?<=\b(?:date of birth|dob|born)\s{0,3}[:=]?\s{0,3})\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/gi,
  },
];

/** Filters a text the naive way: every rule of the level is tried on the whole text, after the one before it. */
export function textbookFilter(text: string, level: Extract<PrivacyLevel, "private" | "filtered">): string {
  let filtered = text;
  for (const { kind, from, pattern } of rules) {
    if (from === "private" || level === "filtered") filtered = filtered.replace(pattern, `[REDACTED:${kind}]`);
  }
  return filtered;
}
