/**
 * A path in the form in which paths are compared: servers take `/%70rivate`, `//private`, `/./private` and `/private;x=1` for
 * `/private`. Escapes of unreserved characters are decoded (RFC 3986, 6.2.2.2), the hexadecimal digits of others are in upper
 * case, empty and dot segments are left out, and so are the parameters of a segment. A slash at the end stays.
 */
export function comparedPath(path: string): string {
  if (!/[%;]|\/[/.]/.test(path)) return path;
  const segments = path
    .replaceAll(/%[0-9a-f]{2}/gi, unreserved)
    .split("/")
    .map((segment) => segment.split(";", 1)[0] ?? "");
  const kept = segments.filter((segment) => segment !== "" && segment !== "." && segment !== "..");
  const isOpen = segments.at(-1) === "" && kept.length > 0;
  return `/${kept.join("/")}${isOpen ? "/" : ""}`;
}

function unreserved(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
}
