/** The parts of a URL as they stand in the text; joined they are the text again. */
export interface UrlParts {
  /** With its colon, e.g. `https:`; empty for a relative reference. */
  readonly scheme: string;
  /** What is before `@`, without it; `undefined` when there is none. */
  readonly userinfo: string | undefined;
  /** Host and port; `undefined` when there is no authority. */
  readonly host: string | undefined;
  readonly path: string;
  /** Without `?`; `undefined` when there is none. */
  readonly query: string | undefined;
  /** Without `#`; `undefined` when there is none. */
  readonly fragment: string | undefined;
}

/**
 * Splits a URL without normalising it (RFC 3986, appendix B; the last `@` of the authority ends the userinfo, as
 * in the WHATWG URL Standard). Never throws: text of any kind has parts.
 */
export function splitUrl(url: string): UrlParts {
  const hash = url.indexOf("#");
  const fragment = hash < 0 ? undefined : url.slice(hash + 1);
  const beforeHash = hash < 0 ? url : url.slice(0, hash);
  const mark = beforeHash.indexOf("?");
  const query = mark < 0 ? undefined : beforeHash.slice(mark + 1);
  let rest = mark < 0 ? beforeHash : beforeHash.slice(0, mark);
  const scheme = /^[a-z][a-z0-9+.-]{0,30}:/i.exec(rest)?.[0] ?? "";
  rest = rest.slice(scheme.length);
  if (!rest.startsWith("//")) return { scheme, userinfo: undefined, host: undefined, path: rest, query, fragment };
  const slash = rest.indexOf("/", 2);
  const authority = rest.slice(2, slash < 0 ? undefined : slash);
  const at = authority.lastIndexOf("@");
  return {
    scheme,
    userinfo: at < 0 ? undefined : authority.slice(0, at),
    host: authority.slice(at + 1),
    path: slash < 0 ? "" : rest.slice(slash),
    query,
    fragment,
  };
}

/** Decodes percent escapes once, as far as they are valid. */
export function decodeOnce(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch {
    return value.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
  }
}
