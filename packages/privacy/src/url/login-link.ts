import { codeWords, fileSegments, inviteHosts, notSecret, shortKey, signInWords, strongWords, telling } from "../data/link-words.js";
import { classChanges, hex, isSlug, isTokenShaped } from "./token-shape.js";

/** What a part of an address says of the link: nothing, that it leads to where people sign in, or that it lets someone in. */
export type Purpose = 0 | 1 | 2;

/** More words than this are the title of an article: `how-to-reset-your-password-in-ten-steps`. */
const wordsMax = 5;
/** A longer segment says nothing. */
export const segmentMax = 48;
/** Shorter values of a page to sign in may be anything. */
const weakMin = 10;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** What a segment of a path, a label of a host or a value such as `mode=resetPassword` says. */
function purposeOf(segment: string): Purpose {
  if (segment.length < 3 || segment.length > segmentMax) return 0;
  const words = segment
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}0-9]/u);
  if (words.length > wordsMax || words.some((word) => word.startsWith("unsubscri"))) return 0;
  if (words.some((word) => strongWords.has(word)) || strongWords.has(words.join(""))) return 2;
  return words.some((word) => signInWords.has(word)) ? 1 : 0;
}

/**
 * Whether a value could be the secret of a link: a token, or something shorter that is neither a word, a number nor a slug. `isDirect`: it stands right
 * behind a word for such links, so that less is asked of it.
 */
function isLinkToken(value: string, isDirect: boolean): boolean {
  if (value.length < 6 || value.length > 8192 || isSlug(value)) return false;
  if (isTokenShaped(value)) return true;
  if (!/^[A-Za-z0-9_\-.~+=:]{6,8192}$/.test(value)) return false;
  const changes = classChanges(value);
  if (!/[A-Za-z]/.test(value)) return isDirect && /^[0-9]{16,}$/.test(value);
  if (!/[0-9]/.test(value)) return value.length >= 20 && changes >= 8 && !/[-_.]/.test(value);
  if (/^[A-Za-z]{1,24}[-_.]?[0-9]{1,4}$/.test(value) || /^v?[0-9]{1,4}(?:\.[0-9]{1,4}){1,3}$/.test(value)) return false;
  if (isDirect) return changes >= 2;
  // `oauth2-guide`: words, one of which ends with a number.
  if (/^[a-z]{3,24}[0-9]{0,2}(?:-(?:[a-z]{2,24}[0-9]{0,2}|[0-9]{1,4})){1,8}$/.test(value)) return false;
  return changes >= 3 && value.length >= 8 && (value.length >= 10 || hex.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value)));
}

const hasDigit = /[0-9]/;
/** Numbers, dates and versions, shorter than tokens. */
const isNumber = /^v?[0-9._-]{1,15}$/;

/** Which segments of a path are the secret of a link that lets someone in. Segments are decoded. What they say is read when something could be one. */
export class LinkReader {
  readonly #host: string;
  #purpose: Purpose | undefined;
  #previous: Purpose = 0;
  #word = "";
  #isFile = false;
  /** The next segment is an invitation. */
  #isInvite: boolean;
  /** Segments that have not been read. */
  #pending: string[] = [];

  constructor(host = "") {
    this.#host = host;
    this.#isInvite = inviteHosts.has(host) || inviteHosts.has(host.toLowerCase());
  }

  /** What the path so far says of the link. */
  get purpose(): Purpose {
    return this.#read();
  }

  /** Whether the next segment could be a secret, by its length and its digits: most are words. Takes it when it is none. */
  skips(segment: string): boolean {
    const { length } = segment;
    if (length >= 6 && (this.#isInvite || length >= 20 || (hasDigit.test(segment) && (length === 6 || !isNumber.test(segment)))))
      return false;
    if (segment !== "") this.#pending.push(segment);
    return true;
  }

  /** Takes the next segment: whether it is a secret. */
  isSecret(segment: string): boolean {
    if (segment === "REDACTED" || this.skips(segment)) return false;
    const isInvite = this.#isInvite;
    this.#isInvite = false;
    const isSecret = isInvite || this.#isToken(segment);
    if (isSecret) {
      this.#read();
      this.#previous = 0;
    } else this.#pending.push(segment);
    return isSecret;
  }

  #isToken(segment: string): boolean {
    const purpose = this.#read();
    const direct = this.#previous;
    if (purpose === 0) return false;
    return (
      (direct > 0 && isLinkToken(segment, direct === 2)) ||
      (purpose === 2 && !this.#isFile && isLinkToken(segment, false)) ||
      (direct === 2 && codeWords.has(this.#word) && /^[0-9]{6}$/.test(segment))
    );
  }

  #read(): Purpose {
    let purpose = (this.#purpose ??= purposeOf(this.#host.split(".")[0] ?? "") === 2 ? 2 : 0);
    for (const segment of this.#pending) {
      this.#previous = purposeOf(segment);
      this.#word = segment.toLowerCase();
      this.#isFile ||= fileSegments.has(this.#word);
      if (this.#previous > purpose) purpose = this.#previous;
    }
    this.#pending = [];
    return (this.#purpose = purpose);
  }
}

/** Whether the value of a key in the query of a link is its secret. Keys that are secrets everywhere are not asked. What the link is for is asked last. */
export function isLinkValue(key: string, value: string, purpose: () => Purpose): boolean {
  if (notSecret.test(key)) return false;
  if (/^[0-9]{4,8}$/.test(value)) return /code|otp|pin|^c$/i.test(key) && purpose() > 0;
  const isKey = shortKey.test(key);
  if (!isLinkToken(value, isKey)) return false;
  const isStrong = purpose() === 2;
  if (isStrong) return isKey || isLinkToken(value, false);
  return purpose() === 1 && isKey && value.length >= weakMin && !uuid.test(value) && isLinkToken(value, false);
}

/** What the values of a query say of the link: `?mode=resetPassword`, `?action=rp`, `?type=magiclink`. */
export function toldPurposes(query: string): string[] {
  return Array.from(query.matchAll(telling), ([, value = ""]) => value);
}

/** The most that one of several parts of an address says. */
export function highestPurpose(parts: readonly string[]): Purpose {
  let highest: Purpose = 0;
  for (const part of parts) {
    const purpose = purposeOf(part);
    if (purpose > highest) highest = purpose;
  }
  return highest;
}
