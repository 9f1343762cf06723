/**
 * A new message id: UUID version 7 (RFC 9562, 5.7), so that ids sort by the time they were made.
 * Made from `getRandomValues` alone: pages without TLS have no `randomUUID`.
 * @param now milliseconds since the epoch
 */
export function newMessageId(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // 48 bits of time, the version, 12 random bits, the variant, 62 random bits.
  for (let index = 0; index < 6; index += 1) bytes[index] = Math.floor(now / 2 ** (8 * (5 - index))) % 256;
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
