import { isSpace } from "../text/chars.js";

/** Schemes with a host after any number of slashes, forward or backward (WHATWG URL Standard, 4.2, without `file`). */
const specialScheme = /^(?:https?|wss?|ftp):$/i;

/**
 * A URL in the spelling in which it is split: what a browser skips or reads as a slash is put so (WHATWG URL Standard, 4.4).
 * Control characters and blanks at the ends go, tabs and line ends go, `\` is `/` unless a scheme of another kind comes first, and
 * after a special scheme there are two slashes. The usual spelling is returned as it is.
 */
export function openedUrl(url: string): string {
  const text = trimmed(url).replaceAll(/[\t\n\r]/g, "");
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(text)?.[0] ?? "";
  const isSpecial = specialScheme.test(scheme);
  if (scheme !== "" && !isSpecial && !/^file:$/i.test(scheme)) return text;
  const mark = text.search(/[?#]/);
  const pathEnd = mark < 0 ? text.length : mark;
  const path = text.slice(scheme.length, pathEnd).replaceAll("\\", "/");
  let slashes = 0;
  while (path[slashes] === "/") slashes++;
  // A path without a scheme, and a file's, may start with one slash or none.
  const hasHost = isSpecial || (scheme === "" && slashes > 1);
  return scheme + (hasHost ? `//${path.slice(slashes)}` : path) + text.slice(pathEnd);
}

/** Without what a browser trims, and without other white space at the ends, which text around a URL leaves there. */
function trimmed(url: string): string {
  let start = 0;
  let end = url.length;
  while (start < end && isTrimmed(url.charCodeAt(start))) start++;
  while (end > start && isTrimmed(url.charCodeAt(end - 1))) end--;
  return url.slice(start, end);
}

function isTrimmed(c: number): boolean {
  return c <= 0x20 || isSpace(c);
}
