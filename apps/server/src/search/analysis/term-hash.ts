/** A 32-bit hash of a term, signed as engines of JavaScript like their numbers (FNV-1a over its UTF-16 units, with the last mixing step of MurmurHash3). What is stored depends on it. */
export function hashOf(term: string, start = 0, end = term.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
