import { requireLevel, requireText } from "./arguments.js";
import { compilePolicy, defaultPolicy, type CompiledPolicy } from "./compiled-policy.js";
import { harmlessKeys, publicThings } from "./data/harmless-keys.js";
import { isAmbiguousKey, isSecretKey } from "./data/secret-keys.js";
import { trackingFamilies, trackingKeys } from "./data/tracking-keys.js";
import { applySpans, findSpansOnce } from "./engine.js";
import { namesPassword } from "./fields/field-rules.js";
import { isAtMost, type PrivacyLevel } from "./levels.js";
import type { FilterPolicy } from "./policy.js";
import { addCounts, countSpans, type RedactionCounts, type Span, urlPlaceholder } from "./spans.js";
import { TimeLimit, type TimeOptions } from "./time-limit.js";
import { highestPurpose, isLinkValue, LinkReader, type Purpose, toldPurposes } from "./url/login-link.js";
import { openedUrl } from "./url/opened-url.js";
import { decodeOnce, splitUrl } from "./url/split-url.js";
import { isHighEntropy, isTokenShaped } from "./url/token-shape.js";
import { isWebhook } from "./url/webhook.js";

/** How a URL is to be filtered. */
export interface RedactUrlOptions extends TimeOptions {
  /** Rules of operator and user. Default: none. */
  policy?: FilterPolicy;
}

/** One URL to be filtered, and where to count. */
export interface UrlTask {
  readonly level: PrivacyLevel;
  readonly policy: CompiledPolicy;
  readonly redactions: RedactionCounts;
  /** How many URLs this one is nested in: one level of encoding is opened, no more. */
  readonly depth: number;
  readonly limit: TimeLimit;
}

/**
 * Removes from a URL what its level does not allow: userinfo and tracking keys at every level, values of secret keys,
 * tokens, and from `private` on contact details and ids; at `filtered` only a list of harmless query keys is
 * kept; at `restricted` only the origin. A removed value becomes `REDACTED`; the rest keeps its spelling.
 *
 * Takes any string, relative and broken URLs too, and never throws for one but {@link FilterBoundsError} after `maxMs`. Idempotent. Throws `RangeError` for a policy that is not
 * valid and `TypeError` for anything but a string or an unknown level.
 */
export function redactUrl(url: string, level: PrivacyLevel, options: RedactUrlOptions = {}): { url: string; redactions: RedactionCounts } {
  requireText(url, "redactUrl");
  requireLevel(level, "redactUrl");
  const redactions: RedactionCounts = {};
  const policy = compilePolicy(options.policy ?? defaultPolicy);
  const task: UrlTask = { level, policy, redactions, depth: 0, limit: new TimeLimit(options) };
  return { url: filterUrl(url, task), redactions };
}

/** What is removed can set a neighbour free, so a URL of which something was removed is filtered until it rests. */
const roundsMax = 6;

/**
 * Filters one URL, counting what goes into the task. It is read as a browser would open it, whatever its spelling; where nothing
 * has to go, the spelling stays.
 */
export function filterUrl(url: string, task: UrlTask): string {
  let current = url;
  for (let round = 0; round < roundsMax; round++) {
    const opened = openedUrl(current);
    const next = filterOnce(opened, task);
    if (next === opened) return current;
    current = next;
  }
  return filterOnce(openedUrl(current), { ...task, level: "restricted" });
}

function filterOnce(url: string, task: UrlTask): string {
  const { level, redactions } = task;
  const { scheme, userinfo, host, path, query, fragment } = splitUrl(url);
  if (userinfo !== undefined) addCounts(redactions, { url_auth: 1 });
  const origin = host === undefined ? scheme : `${scheme}//${host}`;
  if (level === "restricted") return origin;
  // A data URL is content, and it is not a URL that leads anywhere.
  if (/^data:$/i.test(scheme)) return urlPlaceholder;
  const link = new LinkReader(host);
  return (
    origin +
    (host !== undefined && isWebhook(host, decodeOnce(path)) ? `/${removed("api_key", path, task)}` : filterPath(path, task, link)) +
    withMark("?", query, (value) => filterQuery(value, task, link)) +
    withMark("#", fragment, (value) => filterFragment(value, task, link))
  );
}

/** A part that is empty stays as it is; one that becomes empty goes with its mark. */
function withMark(mark: string, part: string | undefined, filter: (part: string) => string): string {
  if (part === undefined || part === "") return part === undefined ? "" : mark;
  const filtered = filter(part);
  return filtered === "" ? "" : mark + filtered;
}

/** Filters the pairs of a query; one that is removed takes its `&` along. */
function filterQuery(query: string, task: UrlTask, path: LinkReader): string {
  const kept: string[] = [];
  let known: Purpose | undefined;
  // What path and query together say of the link.
  const purpose = (): Purpose =>
    (known ??= path.purpose === 2 ? 2 : (Math.max(path.purpose, highestPurpose(toldPurposes(query))) as Purpose));
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const key = decodeOnce(equals < 0 ? pair : pair.slice(0, equals));
    // `&amp;` that was not decoded, and a `?` too many, encoded or not.
    const folded = key.toLowerCase().replace(/^(?:amp;|\?)/, "");
    if (trackingKeys.has(folded) || trackingFamilies.test(folded)) {
      addCounts(task.redactions, { tracking: 1 });
    } else if (task.level === "filtered" && equals >= 0 && !isSecretParameter(folded) && !harmlessKeys.has(folded)) {
      addCounts(task.redactions, { query: 1 });
    } else {
      kept.push(
        filterParameter(pair, task, (value) => {
          const decoded = decodeOnce(value);
          return (isAmbiguousKey(folded) && isTokenShaped(decoded)) || isLinkValue(folded, decoded, purpose);
        }),
      );
    }
  }
  return kept.join("&");
}

/** Names of the codes of cards, which only a label tells from other numbers. */
const codeName = /(?:cvv|cvc|cvn)2?$/i;

/** Whether a parameter is for a secret: by a name that addresses have for it, or by the word for a password in any language. */
function isSecretParameter(name: string): boolean {
  return isSecretKey(name) || codeName.test(name) || namesPassword(name);
}

/** `key=value`, or a value alone. `isToken` says whether the key makes the value a token. */
function filterParameter(parameter: string, task: UrlTask, isToken: (value: string) => boolean = () => false): string {
  const equals = parameter.indexOf("=");
  if (equals < 0) return filterValue(parameter, task);
  const [key, value] = [parameter.slice(0, equals), parameter.slice(equals + 1)];
  const name = decodeOnce(key).replace(/^(?:amp;|\?)/i, "");
  const isSecret = isSecretParameter(name) || isToken(value);
  return `${filterKey(key, value, task)}=${isSecret ? removed("token", value, task) : filterPairs(value, task)}`;
}

/** A key may be a secret itself: `?4111111111111111=`, or a token whose padding is taken for an empty value. */
function filterKey(key: string, value: string, task: UrlTask): string {
  const decoded = decodeOnce(key);
  const spans = spansOf(decoded, task);
  if (spans.length === 0) return /^=?$/.test(value) && isHighEntropy(decoded) ? removed("token", key, task) : key;
  addCounts(task.redactions, countSpans(spans));
  return urlPlaceholder;
}

/** A value with further pairs behind `;`, which stands for `&` in some queries. */
function filterPairs(value: string, task: UrlTask): string {
  if (!value.includes(";") || nested.test(decodeOnce(value))) return filterValue(value, task);
  const [first = "", ...pairs] = value.split(/(?=;[^;=]{1,64}=)/);
  return filterValue(first, task) + pairs.map((pair) => `;${filterParameter(pair.slice(1), task)}`).join("");
}

/** The longest ids of public things have 22 characters in base 62, which is 128 bits. */
const publicIdMax = 24;

function isPublicId(segment: string, previous: string): boolean {
  return segment.length <= publicIdMax && publicThings.has(previous.toLowerCase());
}

function removed(kind: string, value: string, task: UrlTask): string {
  if (value === "" || value === urlPlaceholder) return value;
  addCounts(task.redactions, { [kind]: 1 });
  return urlPlaceholder;
}

/** Shorter text with fewer than three digits and without the signs of an address or an assignment before its end holds nothing that is looked for. */
const plainMax = 20;
/** Nothing that is looked for is as short without a digit or an `@`. */
const leastMax = 8;
const tellingSign = /[@=:].|(?:[0-9][^0-9]{0,20}){3}/;

/** Whether there is nothing to look for: most parts are short words, and the cheapest test comes first. */
function isPlain(part: string, { policy }: UrlTask): boolean {
  return (
    part.length < plainMax &&
    (!tellingSign.test(part) || (part.length < leastMax && !/[0-9@]/.test(part))) &&
    policy.patterns.length === 0 &&
    policy.denyList === undefined
  );
}

/** Spans of a part of a URL, which is filtered until it rests. */
function spansOf(part: string, task: UrlTask): Span[] {
  const { level, policy, limit } = task;
  return isPlain(part, task) ? [] : findSpansOnce(part, { level, place: "url", policy, limit });
}

/** A value that is a URL of its own, in any spelling that a browser opens. */
const nested =
  /^[\u0000-\u0020]{0,20}(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:https?|wss?|ftp):[^?#]{0,1024}[@/\\]|[/\\]{2}[^?#]{0,1024}@|[/\\].{0,2048}[?;])/i;

/** A value of no particular key: goes as a whole when anything in it was found, nested URLs are opened once. */
function filterValue(value: string, task: UrlTask): string {
  if (value === "" || value === urlPlaceholder) return value;
  const decoded = decodeOnce(value.replaceAll("+", " "));
  if (task.depth === 0 && nested.test(decoded)) {
    const redactions: RedactionCounts = {};
    const inner = filterUrl(decodeOnce(value), { ...task, depth: 1, redactions });
    if (Object.keys(redactions).length === 0) return value;
    addCounts(task.redactions, redactions);
    return decoded === value ? inner : encodeURIComponent(inner.toWellFormed());
  }
  const spans = spansOf(decoded, task);
  if (spans.length > 0) {
    addCounts(task.redactions, countSpans(spans));
    return urlPlaceholder;
  }
  return isHighEntropy(decoded) ? removed("token", value, task) : value;
}

function filterPath(path: string, task: UrlTask, link: LinkReader): string {
  const segments = path.split("/");
  return segments
    .map((segment, index) => {
      const previous = segments[index - 1] ?? "";
      const opened = isScheme(previous === "" ? segments[index - 2] : previous) ? withoutUserinfo(segment, task) : segment;
      const [name = "", ...parameters] = opened.split(";");
      return [filterSegment(name, { task, link, previous }), ...parameters.map((parameter) => filterParameter(parameter, task))].join(";");
    })
    .join("/");
}

function isScheme(segment = ""): boolean {
  return segment.endsWith(":") && /^[a-z][a-z0-9+.-]{1,20}:$/i.test(segment);
}

/** The authority of an address that stands in the path of another one: `/web/2020/https://user:password@host/`. */
function withoutUserinfo(authority: string, { redactions }: UrlTask): string {
  const at = authority.lastIndexOf("@");
  if (at >= 0) addCounts(redactions, { url_auth: 1 });
  return authority.slice(at + 1);
}

function filterSegment(segment: string, { task, link, previous }: { task: UrlTask; link: LinkReader; previous: string }): string {
  if (segment === "" || segment === urlPlaceholder || (isPlain(segment, task) && !segment.includes("%") && link.skips(segment)))
    return segment;
  const decoded = decodeOnce(segment);
  if (link.isSecret(decoded)) return removed("token", segment, task);
  const spans = spansOf(decoded, task);
  if (spans.length > 0) {
    addCounts(task.redactions, countSpans(spans));
    return decoded === segment
      ? applySpans(
          segment,
          spans.map((span) => ({ ...span, rule: "url:path" })),
        )
      : urlPlaceholder;
  }
  return isAtMost("filtered", task.level) && isHighEntropy(decoded) && !isPublicId(decoded, previous)
    ? removed("token", segment, task)
    : segment;
}

function filterFragment(fragment: string, task: UrlTask, link: LinkReader): string {
  const mark = fragment.search(/[?&]/);
  const route = mark < 0 ? fragment : fragment.slice(0, mark);
  const isRoute = /^!?\//.test(route);
  // The address of a page inside a page, or an anchor, and pairs behind it: `#/reset-password/token?x=1`, `#top&token=x`.
  if ((isRoute || (mark >= 0 && !route.includes("="))) && task.level !== "filtered") {
    const filtered = isRoute ? filterPath(route, task, link) : filterValue(route, task);
    return mark < 0
      ? filtered
      : filtered + withMark(fragment.charAt(mark), fragment.slice(mark + 1), (value) => filterQuery(value, task, link));
  }
  if (/^[^=&]{1,8192}=/.test(fragment)) {
    const kept = filterQuery(fragment, { ...task, level: task.level === "filtered" ? "private" : task.level }, link);
    if (task.level !== "filtered") return kept;
  }
  const isAnchor = /^[\p{L}\p{N}_.:()~',!-]{1,200}$/u.test(decodeOnce(fragment)) && !isHighEntropy(fragment);
  if (task.level === "filtered" && !isAnchor) {
    addCounts(task.redactions, { fragment: 1 });
    return "";
  }
  return filterValue(fragment, task);
}
