const primes = firstPrimes(64);
const fraction = (root: number): number => ((root - Math.floor(root)) * 4_294_967_296) | 0;
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 (FIPS 180-4, 6.2) of up to 55 bytes, which is one block. Throws `RangeError` for more. */
export function sha256(data: Uint8Array): Uint8Array {
  if (data.length > 55) throw new RangeError("sha256 takes at most 55 bytes here");
  const schedule = new Int32Array(64);
  for (let i = 0; i < data.length; i++) schedule[i >> 2] = (schedule[i >> 2] ?? 0) | ((data[i] ?? 0) << (24 - 8 * (i & 3)));
  schedule[data.length >> 2] = (schedule[data.length >> 2] ?? 0) | (0x80 << (24 - 8 * (data.length & 3)));
  schedule[15] = data.length * 8;
  for (let i = 16; i < 64; i++) {
    const two = schedule[i - 2] ?? 0;
    const fifteen = schedule[i - 15] ?? 0;
    const small1 = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    const small0 = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
    schedule[i] = small1 + (schedule[i - 7] ?? 0) + small0 + (schedule[i - 16] ?? 0);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = initial;
  for (let i = 0; i < 64; i++) {
    const first =
      (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (schedule[i] ?? 0)) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const words = [a, b, c, d, e, f, g, h];
  const digest = new Uint8Array(32);
  for (let i = 0; i < digest.length; i++) digest[i] = ((words[i >> 2] ?? 0) + (initial[i >> 2] ?? 0)) >>> (24 - 8 * (i & 3));
  return digest;
}
