import { hash as digest, timingSafeEqual } from "node:crypto";

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
