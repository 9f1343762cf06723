import type { PrivacyLevel } from "../levels.js";

/** A category that the shape of a host or path gives away. */
export interface Heuristic {
  readonly category: string;
  readonly level: PrivacyLevel;
  /** A label of the host. */
  readonly label?: RegExp;
  /** The host as a whole. */
  readonly host?: RegExp;
  /** The path; a heuristic with both needs both. */
  readonly path?: RegExp;
}

/** First labels and paths that software for these purposes uses by default, or that services name so. */
export const heuristics: readonly Heuristic[] = [
  {
    category: "banking",
    level: "restricted",
    label: /^(?:online-?banking|ebanking|e-banking|netbanking|internetbanking|banking|ibank|mybank|homebanking|onlinebanking)$/,
  },
  { category: "banking", level: "restricted", host: /\.bank$/ },
  {
    category: "health",
    level: "restricted",
    label: /^(?:mychart|patientportal|patient|patients|myhealth|mypatient|patient-portal|epicmychart)$/,
  },
  { category: "health", level: "restricted", path: /^\/(?:mychart|patient-?portal|patientportal)(?:\/|$)/i },
  { category: "identity", level: "restricted", label: /^(?:eid|e-id|digid|eidas)$/ },
  { category: "courts", level: "restricted", label: /^(?:ecf|efile|efiling|e-filing)$/ },
  {
    category: "sign_in",
    level: "restricted",
    label: /^(?:login|signin|sign-in|sso|auth|idp|adfs|accounts?|oauth|oidc|saml|cas|id|identity|keycloak|secure-login)$/,
  },
  {
    category: "sign_in",
    level: "restricted",
    path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:log-?in|sign-?in|sign-?on|sso|logon|users?\/(?:sign_in|login|password)|account\/(?:login|signin|reset)|accounts?\/login|auth\/(?:login|signin|realms)|oauth2?\/|saml2?\/|adfs\/|wp-login\.php|(?:forgot|reset)[-_]?password|password[-_/]?reset|magic-?link|two-?factor|2fa|mfa|verify-?email|session\/new)(?:\/|$|\.|\?)?/i,
  },
  { category: "checkout", level: "restricted", label: /^(?:checkout|secure-checkout|payments?|pay)$/ },
  {
    category: "checkout",
    level: "restricted",
    path: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:checkouts?|payment|payments|pay|billing|cart\/checkout|order\/payment|buy\/(?:spc|payselect))(?:\/|$|\.)/i,
  },
  { category: "webmail", level: "filtered", label: /^(?:webmail|mail|owa|roundcube|zimbra|email)$/ },
  { category: "webmail", level: "filtered", path: /^\/(?:owa|webmail|roundcube)(?:\/|$)/i },
  { category: "calendar", level: "filtered", label: /^(?:calendar|cal)$/ },
  { category: "hr", level: "filtered", label: /^(?:payroll|hr|hris|workday|mypay|myhr)$/ },
  { category: "education", level: "filtered", label: /^(?:moodle|blackboard|canvas|sis|studentportal|gradebook|powerschool)$/ },
  {
    category: "search",
    level: "private",
    host: /^(?:www\.|m\.)?(?:google\.[a-z.]{2,6}|bing\.com|duckduckgo\.com|(?:[a-z]{2}\.)?search\.yahoo\.com|yandex\.[a-z.]{2,6}|baidu\.com|ecosia\.org|startpage\.com|qwant\.com|search\.brave\.com|kagi\.com)$/,
    path: /^\/(?:search|s|html|web|yhs|sp)?(?:\/|$)/,
  },
];
