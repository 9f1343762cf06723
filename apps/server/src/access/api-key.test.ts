import { expect, test } from "vitest";
import { hashApiKey, keyIdOf, newApiKey, sameHash } from "./authenticator.js";

const keyId = "01HZX3Y9K8M7N6P5Q4R3S2T1V0";

test("a key contains its id and a secret of 43 characters", () => {
  const key = newApiKey(keyId);
  expect(key).toMatch(/^psk_01HZX3Y9K8M7N6P5Q4R3S2T1V0_[0-9A-Za-z]{43}$/);
  expect(keyIdOf(key)).toBe(keyId);
});

test.each([
  ["no bits", 0x00, "0".repeat(43)],
  // 2^256 - 1 in base 62, from an independent computation.
  ["all bits", 0xff, "yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp1"],
])("the secret is base62 of fixed length: %s", (_, byte, secret) => {
  expect(newApiKey(keyId, new Uint8Array(32).fill(byte))).toBe(`psk_${keyId}_${secret}`);
});

test.each([
  "",
  "psk_",
  `psk_${keyId}`,
  `psk_${keyId}_${"a".repeat(42)}`,
  `psk_${keyId}_${"a".repeat(44)}`,
  `psk_${keyId}_${"-".repeat(43)}`,
  `psk_${keyId.toLowerCase()}_${"a".repeat(43)}`,
  `psk_${keyId.slice(1)}U_${"a".repeat(43)}`,
  `PSK_${keyId}_${"a".repeat(43)}`,
  ` psk_${keyId}_${"a".repeat(43)}`,
  `psk_${keyId}_${"a".repeat(43)}\n`,
])("rejects %j, which has not the shape of a key", (text) => {
  expect(keyIdOf(text)).toBeNull();
});

test("the hash is SHA-256 of the whole key in hex", () => {
  // From `printf abc | sha256sum`.
  expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("compares whole hashes", () => {
  const hash = hashApiKey("one");
  expect(sameHash(hash, hashApiKey("one"))).toBe(true);
  expect(sameHash(hash, hashApiKey("two"))).toBe(false);
  expect(sameHash(hash, hash.slice(1))).toBe(false);
  expect(sameHash(hash, "")).toBe(false);
});
