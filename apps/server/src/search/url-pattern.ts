/**
 * Whether a URL matches, case-insensitively: `pattern` is a substring, or with a `*` a wildcard over the whole URL.
 * Each piece between stars is found at its first place, so that the time is linear in the URL for any number of stars.
 */
export function urlMatcher(pattern: string): (url: string) => boolean {
  const pieces = pattern.toLowerCase().split("*");
  const [head = "", ...rest] = pieces;
  const tail = rest.pop();
  if (tail === undefined) return (url) => url.toLowerCase().includes(head);
  return (url) => {
    const text = url.toLowerCase();
    if (!text.startsWith(head) || !text.endsWith(tail)) return false;
    let at = head.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= text.length - tail.length;
  };
}
