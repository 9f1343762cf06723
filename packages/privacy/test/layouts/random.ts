/** A source of numbers that gives the same ones for the same seed (mulberry32). */
export interface Random {
  /** A whole number from 0 up to and without `below`. */
  int(below: number): number;
  /** One of a list. */
  pick<T>(list: readonly T[]): T;
  /** `count` characters of an alphabet. */
  text(count: number, alphabet: string): string;
}

/** Makes a {@link Random} from a seed. */
export function seeded(seed: number): Random {
  let state = seed;
  const int = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
  return {
    int,
    pick: (list) => list[int(list.length)] as (typeof list)[number],
    text: (count, alphabet) => Array.from({ length: count }, () => alphabet.charAt(int(alphabet.length))).join(""),
  };
}

export const digits = "0123456789";
export const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
export const small = "abcdefghijkmnopqrstuvwxyz";
export const hex = "0123456789abcdef";
export const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
export const base58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
