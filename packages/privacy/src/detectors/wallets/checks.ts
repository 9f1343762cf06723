import { keccak256 } from "./keccak256.js";
import { sha256 } from "./sha256.js";

const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const bech32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** Version, hash and check sum of an address. */
const payloadBytes = 25;

/** Base58Check of 25 bytes: the last four are the start of the double SHA-256 of the others (Bitcoin, `base58.h`). */
export function isBase58Check(text: string): boolean {
  // Three bytes in each number, the first of which holds one.
  const limbs = new Int32Array((payloadBytes + 2) / 3);
  for (let at = 0; at < text.length; at++) {
    let carry = base58.indexOf(text.charAt(at));
    if (carry < 0) return false;
    for (let i = limbs.length - 1; i >= 0; i--, carry >>= 24) {
      carry += (limbs[i] ?? 0) * 58;
      limbs[i] = carry & 0xffffff;
    }
    if ((limbs[0] ?? 0) > 0xff) return false;
  }
  const bytes = new Uint8Array(payloadBytes);
  for (let i = 0; i < payloadBytes; i++) bytes[i] = (limbs[Math.floor((i + 2) / 3)] ?? 0) >> (16 - 8 * ((i + 2) % 3));
  // As many zero bytes as there are leading ones: most of what only looks like an address has another length.
  if (bytes.findIndex((byte) => byte !== 0) !== text.search(/[^1]/)) return false;
  const digest = sha256(sha256(bytes.subarray(0, payloadBytes - 4)));
  return [0, 1, 2, 3].every((index) => digest[index] === bytes[payloadBytes - 4 + index]);
}

/** Bech32 and Bech32m (BIP 173, BIP 350): the prefix before the last `1`, then data with a check sum of six letters. */
export function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return false;
  const split = lower.lastIndexOf("1");
  const prefix = Array.from(lower.slice(0, split), (unit) => unit.charCodeAt(0));
  const data = Array.from(lower.slice(split + 1), (unit) => bech32.indexOf(unit));
  if (data.includes(-1) || data.length < 6) return false;
  let sum = 1;
  for (const value of [...prefix.map((c) => c >> 5), 0, ...prefix.map((c) => c & 31), ...data]) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum === 1 || sum === 0x2bc830a3;
}

/** Mixed-case check sum of an Ethereum address (EIP-55), without its `0x`. */
export function isChecksummedHex(digits: string): boolean {
  const digest = keccak256(digits.toLowerCase());
  return [...digits].every((unit, index) => /[0-9]/.test(unit) || Number.parseInt(digest.charAt(index), 16) >= 8 === /[A-F]/.test(unit));
}
