/** An address as it is indexed: without its scheme, which says nothing, and with percent escapes decoded. */
export function readableUrl(url: string): string {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/*/i, "");
  if (!rest.includes("%")) return rest;
  // Piece by piece: one that does not decode spoils no other.
  return rest.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return " ";
    }
  });
}
