import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";
import type { PrivacyLevel } from "@periscope/schemas";
import type { Clock } from "../deps.js";
import { DomainError } from "../domain-error.js";
import type { AccessStore, KeyRecord, Scope } from "./access.store.js";

/** Who a request comes from, and what its key may do. */
export interface Principal {
  readonly userId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Contexts above this level do not exist for the key. */
  readonly maxPrivacyLevel: PrivacyLevel;
}

export interface AuthenticatorOptions {
  store: Pick<AccessStore, "findKey" | "findKeyOfToken" | "touchKey" | "validKeys">;
  clock: Clock;
  /** Called when the time of a key's last use could not be written; no request fails with it. */
  onTouchFailed?: (error: unknown) => void;
}

/** The last use of a key is written once in this time. */
const touchIntervalMs = 60_000;
/** Keys whose last use is remembered; the others cost a write more. */
const touchedMax = 10_000;
/** How long, and of how many keys, it is remembered what was read. */
const recentMs = 5_000;
const recentMax = 10_000;

// RFC 9110, 11.1 and 11.4: the scheme is case-insensitive, one or more spaces follow.
const bearer = /^bearer +([^ ]+)$/i;

/** What was read of a key. The hash of a key id never changes, and a key that ended stays ended. */
interface RecentRead {
  hash: string;
  /** Null when the key is unknown, revoked or expired. */
  principal: Principal | null;
  readAt: number;
}

/**
 * Authenticates by keys. A valid key is read from the store for every request, so that a revoked one ends at once in every process.
 * A key that was refused is refused from memory for 5 seconds. A new key is never among those: its random id is made with it.
 */
export function createAuthenticator({ store, clock, onTouchFailed = () => {} }: AuthenticatorOptions) {
  const touched = new Map<string, number>();
  // By kind and id: a key and a token of the same id are not the same. Apart, so that made-up keys do not make it forget who was valid.
  const valid = new Map<string, RecentRead>();
  const refused = new Map<string, RecentRead>();

  const touch = ({ userId, keyId, lastUsedAt }: KeyRecord, now: number) => {
    if (now - Math.max(touched.get(keyId) ?? 0, lastUsedAt ?? 0) < touchIntervalMs) return;
    if (touched.size >= touchedMax) touched.clear();
    touched.set(keyId, now);
    // The request neither waits for this write nor fails with it.
    setImmediate(() => {
      store.touchKey({ userId, keyId }, now).catch(onTouchFailed);
    });
  };

  /**
   * The principal that the key of an `Authorization` header had in the last 5 seconds, without asking the store: to refuse a request, never
   * to serve one. Null when the key is not valid, undefined when the store must be asked.
   */
  function recallPrincipal(authorization: string | undefined, accepts: Accepted = keysOnly): Principal | null | undefined {
    const { key, cacheKey } = parseAuthorization(authorization, accepts);
    if (cacheKey === null) return null;
    const recent = valid.get(cacheKey) ?? refused.get(cacheKey);
    const now = clock();
    if (!recent || now < recent.readAt || now >= recent.readAt + recentMs) return undefined;
    return sameHash(recent.hash, hashSecret(key)) ? recent.principal : null;
  }

  /** Whether this process never saw the key of an `Authorization` header to be valid: it may be made up. */
  function mayBeMadeUp(authorization: string | undefined): boolean {
    return !valid.has(parseAuthorization(authorization, keysAndTokens).cacheKey ?? "");
  }

  /**
   * Answers the principal of an `Authorization` header; null when the header is missing or malformed, or its key is not valid.
   * Look-ups of keys that may be made up queue by the address that they come from.
   */
  async function authenticate(authorization: string | undefined, address: string, accepts: Accepted = keysOnly): Promise<Principal | null> {
    const { key, cacheKey, id, kind } = parseAuthorization(authorization, accepts);
    if (cacheKey === null || recallPrincipal(authorization, accepts) === null) return null;
    const turnOf = valid.has(cacheKey) ? id : `address:${address}`;
    const record = await (kind === "pat" ? store.findKeyOfToken(id, turnOf) : store.findKey(id, turnOf));
    const now = clock();
    const isValid = isValidAt(record, now);
    const principal = isValid ? toPrincipal(record) : null;
    valid.delete(cacheKey);
    const reads = isValid ? valid : refused;
    if (reads.size >= recentMax) reads.clear();
    reads.set(cacheKey, { hash: record?.hash ?? "", principal, readAt: now });
    if (!isValid || !sameHash(record.hash, hashSecret(key))) return null;
    touch(record, now);
    return principal;
  }

  return {
    authenticate,
    recallPrincipal,
    mayBeMadeUp,
    /** The principal of a key that was authenticated before; null when the key has ended since. */
    async findPrincipal(keyId: string): Promise<Principal | null> {
      const record = await store.findKey(keyId);
      return isValidAt(record, clock()) ? toPrincipal(record) : null;
    },
    /** Throws `unauthorized` when the key has ended, which what goes on for long asks between its steps. */
    async requireValid(keyId: string): Promise<void> {
      if (!(await store.validKeys([keyId], clock())).has(keyId))
        throw new DomainError("unauthorized", "This key was revoked meanwhile, or has expired.");
    },
    /** Those of the keys that are neither revoked nor expired. */
    validKeys: (keyIds: readonly string[]): Promise<Set<string>> => store.validKeys(keyIds, clock()),
  };
}

function isValidAt(record: KeyRecord | null, now: number): record is KeyRecord {
  return record !== null && record.revokedAt === null && (record.expiresAt ?? Infinity) > now;
}

function toPrincipal({ userId, keyId, scopes, maxPrivacyLevel }: KeyRecord): Principal {
  return { userId, keyId, scopes: new Set(scopes), maxPrivacyLevel };
}

/** The key or token of an `Authorization` header, its kind and id, and under which these are remembered; null when the header is missing, malformed or of a kind that is not accepted. */
function parseAuthorization(
  authorization = "",
  accepts: Accepted,
): { key: string; cacheKey: null; id?: undefined; kind?: undefined } | { key: string; cacheKey: string; id: string; kind: SecretKind } {
  const key = bearer.exec(authorization)?.[1] ?? "";
  const secret = readSecret(key);
  return secret && accepts.includes(secret.kind) ? { key, cacheKey: `${secret.kind}_${secret.id}`, ...secret } : { key, cacheKey: null };
}

/** An API key; an access token, a refresh token and a code of OAuth. */
export type SecretKind = "psk" | "pat" | "prt" | "pac";

/** Which kinds a request may carry. */
export type Accepted = readonly SecretKind[];

const keysOnly: Accepted = ["psk"];

/** What `/mcp` accepts. */
export const keysAndTokens: Accepted = ["psk", "pat"];

/** 62^43 is the first power of 62 past 2^256. */
const secretChars = 43;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const secretShape = /^(psk|pat|prt|pac)_([0-9A-HJKMNP-TV-Z]{26})_[0-9A-Za-z]{43}$/;

/** A new secret: its kind, its id (a ULID) and 32 random bytes in base62, always of the same length, with `_` between them. */
export function newSecret(kind: SecretKind, id: string, secret: Uint8Array = randomBytes(32)): string {
  return `${kind}_${id}_${base62(secret)}`;
}

/** The kind and the id of a secret; null when the text does not have the shape of one. */
export function readSecret(text: string): { kind: SecretKind; id: string } | null {
  const [, kind, id] = secretShape.exec(text) ?? [];
  return kind !== undefined && id !== undefined ? { kind: kind as SecretKind, id } : null;
}

/** SHA-256 of a whole secret, hex: all that is stored of it. */
export function hashSecret(secret: string): string {
  return digest("sha256", secret, "hex");
}

/** Whether two hashes are equal, in a time that does not depend on where they differ. */
export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one, "latin1"), Buffer.from(other, "latin1"));
}

function base62(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  let text = "";
  for (; value > 0n; value /= 62n) text = digits.charAt(Number(value % 62n)) + text;
  return text.padStart(secretChars, "0");
}
