const mask = (1n << 64n) - 1n;
const rate = 136;
const rotateLeft = (lane: bigint, by: number): bigint => ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & mask;

/** Round constants by the linear feedback register of FIPS 202, 3.2.5. */
const roundConstants = ((): bigint[] => {
  let register = 1;
  const next = (): number => {
    const bit = register & 1;
    register <<= 1;
    if (register & 0x100) register ^= 0x171;
    return bit;
  };
  return Array.from({ length: 24 }, () => {
    let constant = 0n;
    for (let j = 0; j < 7; j++) if (next() === 1) constant |= 1n << BigInt(2 ** j - 1);
    return constant;
  });
})();

function permute(state: bigint[]): void {
  const lane = (x: number, y: number): bigint => state[(x % 5) + 5 * (y % 5)] ?? 0n;
  for (const constant of roundConstants) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 1, 2, 3, 4].reduce((sum, y) => sum ^ lane(x, y), 0n));
    for (let i = 0; i < 25; i++) state[i] = (state[i] ?? 0n) ^ (columns[(i + 4) % 5] ?? 0n) ^ rotateLeft(columns[(i + 1) % 5] ?? 0n, 1);
    let [x, y] = [1, 0];
    let current = lane(x, y);
    for (let t = 0; t < 24; t++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const moved = lane(x, y);
      state[x + 5 * y] = rotateLeft(current, (((t + 1) * (t + 2)) / 2) % 64);
      current = moved;
    }
    for (let row = 0; row < 25; row += 5) {
      const lanes = state.slice(row, row + 5);
      for (let i = 0; i < 5; i++) state[row + i] = (lanes[i] ?? 0n) ^ (~(lanes[(i + 1) % 5] ?? 0n) & mask & (lanes[(i + 2) % 5] ?? 0n));
    }
    state[0] = (state[0] ?? 0n) ^ constant;
  }
}

/**
 * Keccak-256 as Ethereum uses it (the padding is that of the submission, not of FIPS 202), of up to 135 bytes of ASCII, which is one block, in hexadecimal.
 */
export function keccak256(text: string): string {
  const block = new Uint8Array(rate);
  for (let i = 0; i < text.length; i++) block[i] = text.charCodeAt(i);
  block[text.length] = 0x01;
  block[rate - 1] = (block[rate - 1] ?? 0) | 0x80;
  const view = new DataView(block.buffer);
  const state = Array.from({ length: 25 }, (_, index) => (index * 8 < rate ? view.getBigUint64(index * 8, true) : 0n));
  permute(state);
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) digest.setBigUint64(i * 8, state[i] ?? 0n, true);
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
