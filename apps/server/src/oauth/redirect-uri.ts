/** Schemes that a browser runs or reads itself: a code sent there reaches no program. */
const unsafeSchemes = new Set("javascript: data: blob: file: filesystem: about: vbscript: view-source: ws: wss: ftp: mailto:".split(" "));

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Why codes may not be sent to an address, in words that follow it; undefined when they may: to https, to http on this machine, and to
 * the scheme of an app, such as `cursor://`.
 */
export function objectionToRedirectUri(uri: string): string | undefined {
  if (uri.length > 2_048 || !URL.canParse(uri)) return "must be an absolute address of at most 2,048 characters";
  const url = new URL(uri);
  if (uri.includes("#")) return "must have no fragment";
  if (url.username !== "" || url.password !== "") return "must have no user name and no password";
  if (url.protocol === "http:" && !loopbackHost.test(url.hostname)) return "must begin with https, unless it is on this machine";
  if (unsafeSchemes.has(url.protocol)) return "has a scheme that no program receives";
  return undefined;
}

/** Whether a client registered an address. On this machine any port is right (RFC 8252, 7.3): programs take a free one each time. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (objectionToRedirectUri(uri) !== undefined) return false;
  return registered.includes(uri) || registered.some((each) => withoutPort(each) !== null && withoutPort(each) === withoutPort(uri));
}

/** An http address on this machine without its port; null for all others. */
function withoutPort(uri: string): string | null {
  const url = new URL(uri);
  if (url.protocol !== "http:" || !loopbackHost.test(url.hostname)) return null;
  return `${url.hostname}${url.pathname}${url.search}`;
}

/** What a person reads of where the code goes: a host, or the scheme of an app. */
export function destinationOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? host : `${protocol}//`;
}
