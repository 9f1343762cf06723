import { hash as digest, timingSafeEqual } from "node:crypto";
import type { PrivacyLevel } from "@periscope/schemas";
import type { AccessStore, KeyRecord, Scope } from "./access.store.js";

/** Who a request comes from, and what its key may do. */
export interface Principal {
  readonly userId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Contexts above this level do not exist for the key. */
  readonly maxPrivacyLevel: PrivacyLevel;
}

interface AuthenticatorOptions {
  store: Pick<AccessStore, "findKey" | "touchKey">;
  revision: () => number;
  clock: () => number;
  onTouchFailed?: (error: unknown) => void;
}

/** A verified key. */
interface KnownKey {
  userId: string;
  hash: string;
  /** One promise for all requests of the key, to save allocations. */
  principal: Promise<Principal>;
  expiresAt: number;
  /** Last use that was written, or is being written. */
  touchedAt: number;
  epoch: number;
}

/** Only verified keys are cached, at about 1 KB each. */
const knownKeysMax = 10_000;
const touchIntervalMs = 60_000;

// RFC 9110, 11.1 and 11.4: the scheme is case-insensitive, one or more spaces follow.
const bearer = /^bearer +([^ ]+)$/i;
const nobody: Promise<null> = Promise.resolve(null);

/**
 * Checks API keys, on every request. Key records are cached until somebody may have changed them: `revision` changes for writes by
 * other processes, `forget` is called for writes by this one. A stale entry is read again.
 */
export function createAuthenticator({ store, revision, clock, onTouchFailed = () => {} }: AuthenticatorOptions) {
  const known = new Map<string, KnownKey>();
  let epoch = 0;
  let seenRevision = revision();

  const currentEpoch = () => {
    const now = revision();
    if (now !== seenRevision) {
      seenRevision = now;
      epoch++;
    }
    return epoch;
  };

  const touch = (keyId: string, entry: KnownKey, now: number) => {
    if (now - entry.touchedAt < touchIntervalMs) return;
    entry.touchedAt = now;
    // The request neither waits for this write nor fails with it.
    setImmediate(() => {
      store.touchKey({ userId: entry.userId, keyId }, now).catch(onTouchFailed);
    });
  };

  const remember = (record: KeyRecord, principal: Principal, asOf: number): KnownKey => {
    const { keyId, userId, hash, lastUsedAt } = record;
    const entry: KnownKey = {
      userId,
      hash,
      principal: Promise.resolve(principal),
      expiresAt: record.expiresAt ?? Infinity,
      touchedAt: Math.max(lastUsedAt ?? 0, known.get(keyId)?.touchedAt ?? 0),
      epoch: asOf,
    };
    known.delete(keyId);
    const [oldest] = known.keys();
    if (known.size >= knownKeysMax && oldest !== undefined) known.delete(oldest);
    known.set(keyId, entry);
    return entry;
  };

  const load = async (keyId: string, hash: string, asOf: number): Promise<Principal | null> => {
    const record = await store.findKey(keyId);
    const now = clock();
    if (record === null || record.revokedAt !== null || (record.expiresAt ?? Infinity) <= now) {
      known.delete(keyId);
      return null;
    }
    if (!sameHash(record.hash, hash)) return null;
    const principal = {
      userId: record.userId,
      keyId,
      scopes: new Set(record.scopes),
      maxPrivacyLevel: record.maxPrivacyLevel,
    };
    // The epoch from before the read: a change during the read makes the entry stale at once.
    touch(keyId, remember(record, principal, asOf), now);
    return principal;
  };

  return {
    authenticate(authorization: string | undefined): Promise<Principal | null> {
      const key = authorization === undefined ? undefined : bearer.exec(authorization)?.[1];
      if (key === undefined) return nobody;
      const keyId = keyIdOf(key);
      if (keyId === null) return nobody;
      const hash = hashApiKey(key);
      const asOf = currentEpoch();
      const entry = known.get(keyId);
      if (entry === undefined || entry.epoch !== asOf) return load(keyId, hash, asOf);
      if (!sameHash(entry.hash, hash)) return nobody;
      const now = clock();
      if (entry.expiresAt <= now) return nobody;
      touch(keyId, entry, now);
      return entry.principal;
    },
    /** Must be called after every change of keys or users by this process. */
    forget(): void {
      epoch++;
    },
  };
}

/** Random bytes, as `randomBytes` of node:crypto makes them. */
export type RandomBytes = (size: number) => Uint8Array;

const secretBytes = 32;
/** 62^43 is the first power of 62 past 2^256. */
const secretChars = 43;
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const keyShape = /^psk_([0-9A-HJKMNP-TV-Z]{26})_[0-9A-Za-z]{43}$/;

/** A new API key: `psk_`, the key id (a ULID), `_` and 32 random bytes in base62, always of the same length. */
export function newApiKey(keyId: string, randomBytes: RandomBytes): string {
  return `psk_${keyId}_${base62(randomBytes(secretBytes))}`;
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
