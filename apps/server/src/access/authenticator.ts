import { hash as digest, randomBytes, timingSafeEqual } from "node:crypto";
import type { PrivacyLevel } from "@periscope/schemas";
import type { Clock } from "../deps.js";
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
  store: Pick<AccessStore, "findKey" | "touchKey">;
  clock: Clock;
  /** Called when the time of a key's last use could not be written; no request fails with it. */
  onTouchFailed?: (error: unknown) => void;
}

/** The last use of a key is written once in this time. */
const touchIntervalMs = 60_000;
/** Keys whose last use is remembered; the others cost a write more. */
const touchedMax = 10_000;

// RFC 9110, 11.1 and 11.4: the scheme is case-insensitive, one or more spaces follow.
const bearer = /^bearer +([^ ]+)$/i;

/**
 * Answers the principal of an `Authorization` header; null when the header is missing or malformed, or its key is unknown, revoked or
 * expired. Every request reads its key from the store, so that a revoked one ends at once in every process.
 */
export function createAuthenticator({ store, clock, onTouchFailed = () => {} }: AuthenticatorOptions) {
  const touched = new Map<string, number>();

  const touch = ({ userId, keyId, lastUsedAt }: KeyRecord, now: number) => {
    if (now - Math.max(touched.get(keyId) ?? 0, lastUsedAt ?? 0) < touchIntervalMs) return;
    if (touched.size >= touchedMax) touched.clear();
    touched.set(keyId, now);
    // The request neither waits for this write nor fails with it.
    setImmediate(() => {
      store.touchKey({ userId, keyId }, now).catch(onTouchFailed);
    });
  };

  return async (authorization: string | undefined): Promise<Principal | null> => {
    const key = bearer.exec(authorization ?? "")?.[1] ?? "";
    const keyId = keyIdOf(key);
    const record = keyId === null ? null : await store.findKey(keyId);
    if (!record || !sameHash(record.hash, hashApiKey(key))) return null;
    const now = clock();
    if (record.revokedAt !== null || (record.expiresAt ?? Infinity) <= now) return null;
    touch(record, now);
    const { userId, scopes, maxPrivacyLevel } = record;
    return { userId, keyId: record.keyId, scopes: new Set(scopes), maxPrivacyLevel };
  };
}

/** 62^43 is the first power of 62 past 2^256. */
const secretChars = 43;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const keyShape = /^psk_([0-9A-HJKMNP-TV-Z]{26})_[0-9A-Za-z]{43}$/;

/** A new API key: `psk_`, the key id (a ULID), `_` and 32 random bytes in base62, always of the same length. */
export function newApiKey(keyId: string, secret: Uint8Array = randomBytes(32)): string {
  return `psk_${keyId}_${base62(secret)}`;
}

/** The key id inside an API key, or null when the text does not have the shape of a key. */
export function keyIdOf(key: string): string | null {
  return keyShape.exec(key)?.[1] ?? null;
}

/** SHA-256 of the whole key, hex: all that is stored of it. */
export function hashApiKey(key: string): string {
  return digest("sha256", key, "hex");
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
