/** Tells one text, such as a key, from another without keeping it: FNV-1a of 32 bits, from which nothing can be had back. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
