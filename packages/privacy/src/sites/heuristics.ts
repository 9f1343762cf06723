import type { PrivacyLevel } from "../levels.js";
import { comparedPath } from "./compared-path.js";
import type { Location } from "./site-match.js";

/** A category that the shape of a host or path gives away. */
interface Heuristic {
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
const heuristics: readonly Heuristic[] = [
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

const privateAddress =
  /^(?:10\.|127\.|0\.0\.0\.0$|192\.168\.|169\.254\.|172\.(?:1[6-9]|2[0-9]|3[01])\.|\[?(?:::1|f[cd][0-9a-f]{2}:|fe80:))/i;

/** Categories by the shape of host and path, most of them for software that runs at any host. */
export function shapeCategories({ host, path: given }: Location): Array<{ category: string; level: PrivacyLevel }> {
  const path = comparedPath(given);
  const found: Array<{ category: string; level: PrivacyLevel }> = [];
  const labels = host.split(".");
  // The registered name itself says nothing: `mail.com` is a site, `mail.example.com` a mailbox.
  const outer = labels.length > 2 ? labels.slice(0, -2) : [];
  for (const { category, level, label, host: whole, path: shape } of heuristics) {
    if (label !== undefined && !outer.some((name) => label.test(name))) continue;
    if (whole !== undefined && !whole.test(host)) continue;
    if (shape !== undefined && !shape.test(path)) continue;
    found.push({ category, level });
  }
  if (isIntranet(host)) found.push({ category: "intranet", level: "private" });
  return found;
}

/** `localhost`, private and link-local addresses (RFC 1918, RFC 3927, RFC 4193), `.local`, `.internal`, single labels. */
function isIntranet(host: string): boolean {
  if (host === "") return false;
  if (/(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa|corp|home)$/.test(host) || privateAddress.test(host)) return true;
  return !host.includes(".") && !host.startsWith("[");
}
