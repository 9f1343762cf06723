/**
 * Whether a page is one of the server itself: of the same scheme, host and port as `baseUrl`. A path of `baseUrl` does not count, since the portal
 * works only at the root of a host. `localhost` and addresses such as `127.0.0.1` and `[::1]` are one host. False for what is no address.
 */
export function isOwnServer(baseUrl: string, url: string): boolean {
  const server = serverOf(baseUrl);
  return server !== undefined && server === serverOf(url);
}

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function serverOf(address: string): string | undefined {
  const text = address.trim();
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port } = new URL(text);
  return `${protocol}//${loopbackName.test(hostname) ? "localhost" : hostname}:${port}`;
}
