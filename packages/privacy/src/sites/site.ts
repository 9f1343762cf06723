/** Labels of a host name as DNS has them, and the underscore that some names in use carry. */
const hostName = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.){0,126}[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const ipv6 = /^\[[0-9a-f:.]{2,45}\]$/;
/** Hosts that a URL parser would leave as they are: ASCII, and no number in another guise at the end. */
const plain = /^(?:[a-z0-9_-]{1,63}\.){0,126}[a-z_-][a-z0-9_-]{0,62}$/;

/**
 * A site in the form in which it is matched: the host in lower case and ASCII (`bücher.example` is
 * `xn--bcher-kva.example`), without `www.`, then the path, if there is one, percent-encoded and without a slash at its end.
 * `undefined` for text that is no site: a scheme, a port, userinfo, `?`, `#`, blanks and wildcards have no place in one.
 *
 * @example siteOf("WWW.Example.com/Health/") // "example.com/Health"
 */
export function siteOf(text: string): string | undefined {
  const [, given = "", path = ""] = /^([^\s/?#@\\:*[\]]{1,253}|\[[0-9a-f:.]{2,45}\])(\/[^\s?#\\]{0,2000})?$/i.exec(text) ?? [];
  const host = asciiHost(given);
  if (host === undefined) return undefined;
  return host.replace(/^(?:www\.){1,8}(?=[^.]{1,63}\.)/, "") + asciiPath(path).replace(/(?<!\/)\/{1,2000}$/, "");
}

/** A host as a browser would write it; `undefined` when none could. */
function asciiHost(host: string): string | undefined {
  const lower = host.toLowerCase().replace(/\.$/, "");
  if (plain.test(lower)) return hostName.test(lower) ? lower : undefined;
  const address = `http://${lower}/`;
  const { hostname } = URL.canParse(address) ? new URL(address) : { hostname: "" };
  const ascii = ipv4Of(hostname.replace(/\.$/, ""));
  return hostName.test(ascii) || ipv6.test(ascii) ? ascii : undefined;
}

/** A path as a browser would write it: what is not ASCII percent-encoded, `.` and `..` resolved. */
function asciiPath(path: string): string {
  const isPlain = !/[^!-~]|\/\.|%2e/i.test(path);
  const address = `http://a${path}`;
  return isPlain || !URL.canParse(address) ? path : new URL(address).pathname;
}

/** A host as a parser writes it, an IPv4 address that is mapped to IPv6 (RFC 4291, 2.5.5.2) as the one that it leads to. */
export function ipv4Of(host: string): string {
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 0xff])
    .join(".");
}
